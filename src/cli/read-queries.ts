import type { QueryReport } from '../app/query-report.ts';
import { membersOf, type Page, readPage, textOf } from './members.ts';

/** Reads what a daemon, perhaps of another version, answered; undefined where that is no page of queries. */
export function readQueries(answer: unknown): QueryPage | undefined {
  return readPage(answer, queryOf);
}

/** A page of queries. */
export type QueryPage = Page<QueryReport>;

/** `m2 (queries: timeout)` for each list that is not good, from what a daemon answered about the collector `list`. */
export function readMissing(answer: unknown, list: string): readonly string[] {
  const { items } = membersOf(answer);
  if (!Array.isArray(items) || items.length === 0) return [`${list} (no such list is read here)`];
  return items.map(membersOf).flatMap(({ node, collector, state, reason }) => {
    if (state === 'good') return [];
    const why = typeof reason === 'string' && reason !== '' ? reason : 'not read yet';
    return [`${String(node)} (${String(collector)}: ${why})`];
  });
}

function queryOf(item: unknown): QueryReport | undefined {
  const members = membersOf(item);
  const text = (name: keyof QueryReport): string => textOf(members, name);
  const seconds = (name: keyof QueryReport): number | null => {
    const value = members[name];
    return typeof value === 'number' ? value : null;
  };
  const instant = (name: keyof QueryReport): string | null =>
    Number.isNaN(Date.parse(text(name))) ? null : text(name);
  const kind = text('kind');
  if (text('id') === '' || Number.isNaN(Date.parse(text('asOf')))) return undefined;
  return {
    cluster: text('cluster'),
    node: text('node'),
    state: text('state') === 'delayed' ? 'delayed' : 'running',
    id: text('id'),
    graph: text('graph'),
    query: text('query'),
    kind: kind === 'installed' || kind === 'interpreted' ? kind : 'builtin',
    ageSeconds: seconds('ageSeconds'),
    grantedTimeoutSeconds: seconds('grantedTimeoutSeconds'),
    remainingSeconds: seconds('remainingSeconds'),
    overdue: members.overdue === true,
    asOf: text('asOf'),
    policy: orNull(text('policy')),
    matchesAt: instant('matchesAt'),
    abortAt: instant('abortAt'),
    protected: typeof members.protected === 'boolean' ? members.protected : null,
  };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
