import type { AuditRow } from '../audit.ts';
import { abortRequests, type Evidence, type Finding, isList, type StartedQuery } from '../evidence.ts';
import { queryName } from './requests.ts';

/** Tolerance in ms between the creation of a list by the server and its evaluation by the daemon. */
const tolerance = 500;
/** Time after the deadline in which the last lists can still show the outcome. */
const lastLists = 4000;
/** Times until the outcome of an ended query is known, and until each outcome is known. */
const outcomeDeadlines = { gone: 6000, all: 38_000 } as const;

/** Checks that each request has an earlier intent, each intent has an outcome in the end, and each outcome is true. */
export function findWrongRows(evidence: Evidence): readonly Finding[] {
  const requests = abortRequests(evidence);
  const requested = requests.flatMap(({ node, ids, at }) =>
    ids.map((id) => ({ name: queryName({ node, id }), row: intentOf({ node, id, at }, evidence.rows) })),
  );
  const startedQueries = new Map(evidence.startedQueries.map((one) => [queryName(one), one]));
  const withoutIntent = requested
    .filter((one) => one.row === undefined)
    .map(
      ({ name }): Finding => ({
        kind: 'without intent',
        about: `${name} has no intent that is older than the request`,
      }),
    );
  const facts = (row: AuditRow): Facts => ({
    row,
    query: startedQueries.get(queryName(row)),
    isRequested: requested.some((one) => one.row === row),
    abortedAt: evidence.aborts.find(({ node, requestId }) => node === row.node && requestId === row.id)?.at,
  });
  return [
    ...withoutIntent,
    ...evidence.rows.filter((row) => row.outcome === null && isOverdue(facts(row), evidence)).map(missingOutcome),
    ...evidence.rows.filter((row) => row.outcome !== null).flatMap((row) => wrongOutcomes(facts(row))),
    ...evidence.rows.filter((row) => row.outcome === 'unknown' && wasListed(row, evidence)).map(unknownOutcome),
  ];
}

/** Returns the intent of a request: the latest one before it. A query has several if earlier requests were not sent. */
function intentOf(
  { node, id, at }: { readonly node: string; readonly id: string; readonly at: number },
  rows: readonly AuditRow[],
): AuditRow | undefined {
  const earlier = rows.filter((row) => row.node === node && row.id === id && row.at <= at + 1);
  return earlier.toSorted((one, other) => other.at - one.at)[0];
}

/** Returns true if a kill came between an intent and its request. */
export function wasInterrupted({ node, id, outcome }: AuditRow, evidence: Pick<Evidence, 'calls'>): boolean {
  const isRequested = abortRequests(evidence).some((one) => one.node === node && one.ids.includes(id));
  return !isRequested && outcome !== 'withdrawn' && outcome !== 'refused';
}

/** State of a query with an intent, from the log of the simulated cluster. */
interface Facts {
  readonly row: AuditRow;
  readonly query: StartedQuery | undefined;
  readonly isRequested: boolean;
  readonly abortedAt: number | undefined;
}

function missingOutcome(row: AuditRow): Finding {
  return { kind: 'without outcome', about: `${queryName(row)} has no outcome in the audit` };
}

/**
 * Returns true if an intent must have an outcome: all deadlines are over, or lists had time to show the end of its query.
 */
function isOverdue({ row, query, abortedAt }: Facts, evidence: Evidence): boolean {
  const { runs, endedAt, calls } = evidence;
  const begin = runs.at(-1)?.from ?? 0;
  const firstList = calls.find((call) => isList(call) && call.node === row.node && call.at >= begin)?.at ?? begin;
  const since = endedAt - Math.max(row.at, firstList);
  if (since >= outcomeDeadlines.all) return true;
  const end = query === undefined ? 0 : endOf(query, abortedAt);
  return (
    endedAt - Math.max(end, endedAt - since) >= outcomeDeadlines.gone &&
    wasListed({ ...row, ended_at: endedAt }, evidence)
  );
}

function unknownOutcome(row: AuditRow): Finding {
  return {
    kind: 'unknown',
    about: `the outcome of ${queryName(row)} is unknown although the guard polled lists of the node`,
  };
}

function wasListed({ node, ended_at: end }: AuditRow, { calls }: Evidence): boolean {
  if (end === null) return false;
  const lists = calls.filter((call) => isList(call) && call.node === node && call.status === 200);
  return lists.filter(({ at }) => at > end - lastLists && at <= end).length > 1;
}

function wrongOutcomes(facts: Facts): readonly Finding[] {
  const { row } = facts;
  const about = `${queryName(row)} was ${row.outcome}, although it `;
  return contradictions(facts).map((but) => ({ kind: 'wrong outcome', about: `${about}${but}` }));
}

function contradictions({ row, query, isRequested, abortedAt }: Facts): readonly string[] {
  const at = row.ended_at ?? 0;
  const end = query === undefined ? 0 : endOf(query, abortedAt);
  switch (row.outcome ?? 'none') {
    case 'withdrawn':
      return isRequested ? ['was requested'] : [];
    case 'confirmed':
      return [...(abortedAt === undefined ? ['was not aborted'] : []), ...(end > at ? ['still ran'] : [])];
    case 'finished_first':
      return [...(abortedAt === undefined ? [] : ['was aborted']), ...(end > at ? ['still ran'] : [])];
    case 'vanished':
      return end > at ? ['still ran'] : [];
    case 'still_running':
    case 'not_aborted':
      return end < at - tolerance ? [`had ended ${at - end} ms before`] : [];
    default:
      return [];
  }
}

function endOf({ kind, endsAt }: StartedQuery, abortedAt: number | undefined): number {
  return kind === 'unstoppable' || abortedAt === undefined ? endsAt : Math.min(endsAt, abortedAt);
}
