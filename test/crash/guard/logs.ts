import type { Row } from '../../../crash/guard/books.ts';
import type { Evidence, Ran } from '../../../crash/guard/evidence.ts';
import type { ReceivedCall } from '../../../src/simulator/call-log.ts';

/** When the logs of these tests begin, ms since the epoch. */
export const begin = 1_790_000_000_000;

/** A log in which nothing happens: two lives of 30 s, the second of which ends by itself. */
export function evidenceOf(part: Partial<Evidence> = {}): Evidence {
  return {
    limits: { perNode: 2, perCluster: 3, within: 5000, pick: 'oldest' },
    lives: [{ from: begin, killedAt: begin + 30_000 }, { from: begin + 30_000 }],
    ran: [],
    calls: [],
    aborts: [],
    rows: [],
    endedAt: begin + 80_000,
    ...part,
  };
}

/** A request for an abort, so many ms after the begin. */
export function asked(id: string, after: number, node = 'm1'): ReceivedCall {
  const query = new URLSearchParams({ requestid: id }).toString();
  return { node, method: 'GET', path: '/restpp/abortquery/fraud', query, at: begin + after, status: 200 };
}

/** A list of what runs. */
export function listed(after: number, status = 200, node = 'm1'): ReceivedCall {
  return { node, method: 'GET', path: '/restpp/showprocesslistall', query: '', at: begin + after, status };
}

/** A runaway that began 10 s before all else and lasts for an hour, if nobody aborts it. */
export function ran(id: string, part: Partial<Ran> = {}): Ran {
  return { node: 'm1', id, kind: 'runaway', startedAt: begin - 10_000, endsAt: begin + 3_600_000, ...part };
}

/** That the server aborted it. */
export function aborted(id: string, after: number, node = 'm1'): Evidence['aborts'][number] {
  return { node, requestId: id, url: '/query/fraud/runaway_walk', at: begin + after };
}

/** A row of the audit; `after` and `ended` are ms after the begin. */
export function row(id: string, after: number, outcome: string | null = null, ended = after + 3000): Row {
  const end = outcome === null ? null : begin + ended;
  return { node: 'm1', id, policy: 'runaway', at: begin + after, outcome, ended_at: end, doubt: null };
}
