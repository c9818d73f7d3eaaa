import type { QueryReport } from '../app/query-report.ts';
import { aligned, printable } from './aligned.ts';

const header = ['AGE', 'LEFT', 'STATE', 'NODE', 'GRAPH', 'QUERY', 'ID'];

/** What is the same for all rows. */
interface Layout {
  readonly manyClusters: boolean;
  /** A guard without policies has nothing to say. */
  readonly policies: boolean;
}

/** Queries as people look at them: the oldest first, and how many there are in all. */
export function queryTable(queries: readonly QueryReport[], total: number): string {
  if (total === 0) return 'no queries\n';
  const layout = {
    manyClusters: new Set(queries.map(({ cluster }) => cluster)).size > 1,
    policies: queries.some((query) => query.protected !== null),
  };
  const rows = queries.map((query) => rowOf(query, layout));
  const rest = total - queries.length;
  return (
    aligned([layout.policies ? header.toSpliced(-1, 0, 'POLICY') : header, ...rows]) +
    (rest > 0 ? `and ${rest} more\n` : '')
  );
}

function rowOf(query: QueryReport, { manyClusters, policies }: Layout): readonly string[] {
  const { ageSeconds, remainingSeconds, state, overdue, cluster, node, graph, id } = query;
  return [
    clockOf(ageSeconds),
    overdue ? 'overdue' : clockOf(remainingSeconds),
    state,
    manyClusters ? `${cluster}/${node}` : node,
    graph,
    query.query,
    ...(policies ? [policyOf(query)] : []),
    id,
  ].map(printable);
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}

/** The policy that matches, or in how long it will. */
function policyOf({ policy, matchesAt, asOf, protected: shielded }: QueryReport): string {
  if (policy === null) return shielded === true ? 'protected' : '';
  const wait = (Date.parse(matchesAt ?? asOf) - Date.parse(asOf)) / 1000;
  return wait > 0 ? `${policy} in ${clockOf(wait)}` : policy;
}

/** `1:02:03`: ages stand below each other and are compared. */
function clockOf(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
