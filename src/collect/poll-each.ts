import type { Answer } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import { ok } from '../kernel/result.ts';
import type { PollOutcome } from './collector.ts';

/**
 * Sends one request after another, so that a collector never has two requests in flight on a node. If a request fails, the
 * facts of the others are kept; the first failure is the failure of the poll.
 */
export async function pollEach<Key, Fact>(
  keys: readonly Key[],
  poll: (key: Key) => Answer<Fact>,
): Promise<PollOutcome<readonly Fact[]>> {
  const facts: Fact[] = [];
  let error: Failure | undefined;
  for (const key of keys) {
    // Continues after an abort: the remaining calls then fail at once, and none is skipped silently.
    const answer = await poll(key);
    if (answer.ok) facts.push(answer.value);
    else error ??= answer.error;
  }
  if (error === undefined) return ok(facts);
  return facts.length === 0 ? { ok: false, error } : { ok: false, error, partial: facts };
}

/** Applies `change` to the facts of a poll, complete or partial. */
export function mapPollOutcome<From, To>(result: PollOutcome<From>, change: (facts: From) => To): PollOutcome<To> {
  if (result.ok) return ok(change(result.value));
  const { error, partial } = result;
  return partial === undefined ? { ok: false, error } : { ok: false, error, partial: change(partial) };
}
