import type { FailedAttempt, PollResult } from '../../collect/poll-runner.ts';
import { failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import type { Clock } from '../../kernel/time.ts';
import type { PlannedCollector } from './collector-plan.ts';

/** Poll of a fact of the whole cluster. */
export interface ClusterPoll {
  readonly cluster: string;
  readonly planned: PlannedCollector;
  /** In the order in which they are polled. */
  readonly nodes: readonly string[];
  readonly clock: Clock;
  /** Returns undefined while a stuck poll holds the permit. */
  pollNode(node: string): Promise<PollResult | undefined>;
  /** Returns whether the result is no longer needed. */
  isStopped(): boolean;
}

/**
 * Polls one node after another until one succeeds. If all fail, the result is the first one with a part of the facts, or
 * else the first failure.
 */
export async function pollCluster(poll: ClusterPoll): Promise<PollResult | undefined> {
  const { cluster, planned, nodes, clock } = poll;
  const started = clock.now();
  const failedAttempts: FailedAttempt[] = [];
  let best: PollResult | undefined;
  for (const node of nodes) {
    if (poll.isStopped()) break;
    const pollResult = await poll.pollNode(node);
    if (pollResult?.result.ok === true) return { ...pollResult, started, failedAttempts };
    if (pollResult?.result.ok === false) failedAttempts.push({ node, error: pollResult.result.error });
    if (best === undefined || (isPartial(pollResult) && !isPartial(best))) best = pollResult;
    if (isExhausted(planned, pollResult)) break;
  }
  if (best !== undefined) return { ...best, started, ended: clock.now(), failedAttempts };
  if (nodes.length > 0) return undefined;
  const unknown = failure('unreachable', `cluster '${cluster}' has no known node`);
  return { result: err(unknown), source: '', started, ended: started };
}

function isPartial(pollResult: PollResult | undefined): boolean {
  return pollResult?.result.ok === false && pollResult.result.partial !== undefined;
}

/**
 * Returns whether no other node is tried: a scheduled check that timed out would take as long on every other node of a
 * slow cluster.
 */
function isExhausted({ settings }: PlannedCollector, pollResult: PollResult | undefined): boolean {
  return (
    settings.schedule !== undefined && pollResult?.result.ok === false && pollResult.result.error.reason === 'timeout'
  );
}
