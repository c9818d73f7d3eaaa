import type { AuditRow } from '../../../../campaigns/crash/guard/audit.ts';
import type { Evidence, StartedQuery } from '../../../../campaigns/crash/guard/evidence.ts';
import type { ReceivedCall } from '../../../../src/simulator/call.ts';

/** Start of the logs of these tests, in ms since the epoch. */
export const logStart = 1_790_000_000_000;

/** Returns a log without events: two runs of 30 s, the second of which stops cleanly. */
export function evidenceOf(part: Partial<Evidence> = {}): Evidence {
  return {
    limits: { perNode: 2, perCluster: 3, within: 5000, pick: 'oldest' },
    runs: [{ from: logStart, killedAt: logStart + 30_000 }, { from: logStart + 30_000 }],
    startedQueries: [],
    calls: [],
    aborts: [],
    rows: [],
    endedAt: logStart + 80_000,
    ...part,
  };
}

/** Returns an abort request at `after` ms. */
export function abortRequest(id: string, after: number, node = 'm1'): ReceivedCall {
  const query = new URLSearchParams({ requestid: id }).toString();
  return { node, method: 'GET', path: '/restpp/abortquery/fraud', query, at: logStart + after, status: 200 };
}

/** Returns a list request. */
export function listReply(after: number, status = 200, node = 'm1'): ReceivedCall {
  return { node, method: 'GET', path: '/restpp/showprocesslistall', query: '', at: logStart + after, status };
}

/** Returns a runaway query that began 10 s before the log and lasts for an hour unless it is aborted. */
export function runawayQuery(id: string, part: Partial<StartedQuery> = {}): StartedQuery {
  return { node: 'm1', id, kind: 'runaway', startedAt: logStart - 10_000, endsAt: logStart + 3_600_000, ...part };
}

/** Returns the log entry of an abort by the server. */
export function serverAbort(id: string, after: number, node = 'm1'): Evidence['aborts'][number] {
  return { node, requestId: id, url: '/query/fraud/runaway_walk', at: logStart + after };
}

/** Returns an audit row; `after` and `ended` are ms after the start of the log. */
export function auditRow(id: string, after: number, outcome: string | null = null, ended = after + 3000): AuditRow {
  const end = outcome === null ? null : logStart + ended;
  return { node: 'm1', id, policy: 'runaway', at: logStart + after, outcome, ended_at: end };
}
