import type { QueryReport } from '../app/query-report.ts';
import { aligned, printable } from './aligned.ts';

const header = ['AGE', 'LEFT', 'STATE', 'NODE', 'GRAPH', 'QUERY', 'ID'];

/** Queries as people look at them: the oldest first, and how many there are in all. */
export function queryTable(queries: readonly QueryReport[], total: number): string {
  if (total === 0) return 'no queries\n';
  const manyClusters = new Set(queries.map(({ cluster }) => cluster)).size > 1;
  const rows = queries.map((query) => rowOf(query, manyClusters));
  const rest = total - queries.length;
  return aligned([header, ...rows]) + (rest > 0 ? `and ${rest} more\n` : '');
}

function rowOf(query: QueryReport, manyClusters: boolean): readonly string[] {
  const { ageSeconds, remainingSeconds, state, overdue, cluster, node, graph, id } = query;
  return [
    clockOf(ageSeconds),
    overdue ? 'overdue' : clockOf(remainingSeconds),
    state,
    manyClusters ? `${cluster}/${node}` : node,
    graph,
    query.query,
    id,
  ].map(printable);
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}

/** `1:02:03`: ages stand below each other and are compared. */
function clockOf(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
