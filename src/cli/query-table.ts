import type { QueryReport } from '../api/queries.ts';
import { formatTable, replaceControlCharacters, type Terminal } from './table.ts';

const queryHeader = ['AGE', 'LEFT', 'STATE', 'NODE', 'GRAPH', 'QUERY', 'ID'];

/** Properties that are the same for all rows. */
interface QueryTableLayout {
  readonly manyClusters: boolean;
  /** Whether to print the column POLICY: the guard has policies. */
  readonly policies: boolean;
}

/** Queries as a table, oldest first, and the number of those beyond the page. */
export function queryTable(queries: readonly QueryReport[], total: number, terminal?: Terminal): string {
  if (total === 0) return 'no queries\n';
  const layout = {
    manyClusters: new Set(queries.map(({ cluster }) => cluster)).size > 1,
    policies: queries.some((query) => query.protected !== null),
  };
  const rows = queries.map((query) => queryRow(query, layout));
  const rest = total - queries.length;
  return (
    formatTable([layout.policies ? queryHeader.toSpliced(-1, 0, 'POLICY') : queryHeader, ...rows], terminal) +
    (rest > 0 ? `and ${rest} more\n` : '')
  );
}

function queryRow(query: QueryReport, { manyClusters, policies }: QueryTableLayout): readonly string[] {
  const { ageSeconds, remainingSeconds, state, overdue, cluster, node, graph, id } = query;
  return [
    formatClock(ageSeconds),
    overdue ? 'overdue' : formatClock(remainingSeconds),
    state,
    manyClusters ? `${cluster}/${node}` : node,
    graph,
    query.query,
    ...(policies ? [formatPolicy(query)] : []),
    id,
  ].map(replaceControlCharacters);
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

/** Policy that matches, with the time until it does. */
function formatPolicy({ policy, matchesAt, asOf, protected: isProtected }: QueryReport): string {
  if (policy === null) return isProtected === true ? 'protected' : '';
  const wait = (Date.parse(matchesAt ?? asOf) - Date.parse(asOf)) / 1000;
  return wait > 0 ? `${policy} in ${formatClock(wait)}` : policy;
}

/** `1:02:03`, so that ages in a column are easy to compare. */
function formatClock(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}
