import type { StatusReply } from '../evidence.ts';

/** Span in which the cluster reported one status and the daemon must have noticed it. */
export interface StatusSpan {
  readonly status: string;
  /** When the daemon sent the first request that returned the status. */
  readonly from: number;
  /** When the daemon must have noticed the status at the latest: it sent the next request. */
  readonly until: number;
}

/** Statuses of one service instance in the responses of the cluster. */
export interface ServedStatuses {
  /** Statuses in two consecutive poll results, or in the last one. */
  readonly spans: readonly StatusSpan[];
  /** Number of statuses in two consecutive poll results of a daemon that was killed before its next request. */
  readonly missedReplies: number;
}

interface StatusReport {
  readonly reply: StatusReply;
  readonly status: string;
}

/** Returns the statuses of an instance that the daemon must have noticed, from the responses of the cluster. */
export function servedStatuses(instance: string, replies: readonly StatusReply[]): ServedStatuses {
  const reports = replies.flatMap((reply): readonly StatusReport[] => {
    const status = reply.statuses.get(instance);
    return status === undefined ? [] : [{ reply, status }];
  });
  const spans: StatusSpan[] = [];
  let missedReplies = 0;
  for (const { begin, end } of consecutiveRuns(reports)) {
    const until = end === reports.length ? Number.POSITIVE_INFINITY : mustBeNoticed(reports, begin, end);
    const first = reports[begin];
    if (first === undefined) continue;
    if (until !== undefined) spans.push({ status: first.status, from: first.reply.requestedAt, until });
    else if (end - begin > 1) missedReplies += 1;
  }
  return { spans, missedReplies };
}

interface ReplyRun {
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
}

/** Yields the runs of consecutive poll results with equal status. */
function* consecutiveRuns(reports: readonly StatusReport[]): Generator<ReplyRun> {
  let begin = 0;
  for (const [index, { status }] of reports.entries()) {
    if (reports[index + 1]?.status === status) continue;
    yield { begin, end: index + 1 };
    begin = index + 1;
  }
}

/**
 * Returns when the daemon must have stored a status, which it does before its next request. Of two equal poll results, the
 * next request after either one counts. A request to another node does not count: the response came after the timeout. Nor
 * does a late one: the timeout of a daemon that gets no processor time expires before it sees the response.
 */
function mustBeNoticed(reports: readonly StatusReport[], begin: number, end: number): number | undefined {
  for (let index = begin; index + 1 < end; index += 1) {
    const [one, two, three] = reports.slice(index, index + 3).map(({ reply }) => reply);
    if (isNoticedBefore(one, two)) return two?.requestedAt;
    if (isNoticedBefore(two, three)) return three?.requestedAt;
  }
  return undefined;
}

/** Distance of two requests of a daemon that gets processor time; it polls every 250 ms. */
const maxRequestDistance = 400;

function isNoticedBefore(one: StatusReply | undefined, next: StatusReply | undefined): boolean {
  if (one === undefined || one.run !== next?.run || one.node !== next.node) return false;
  return next.requestedAt - one.requestedAt <= maxRequestDistance;
}
