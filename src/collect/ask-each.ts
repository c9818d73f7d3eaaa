import type { Answer } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import { ok } from '../kernel/result.ts';
import type { ReadResult } from './collector.ts';

/**
 * Asks one thing after another, so that a collector never has two calls under way on a node. What
 * answered is kept when something else fails; the first failure speaks for the reading.
 */
export async function askEach<Key, Fact>(
  keys: readonly Key[],
  ask: (key: Key) => Answer<Fact>,
): Promise<ReadResult<readonly Fact[]>> {
  const facts: Fact[] = [];
  let error: Failure | undefined;
  for (const key of keys) {
    // Also after an abort: the calls that are left then fail at once, and none is forgotten in silence.
    const answer = await ask(key);
    if (answer.ok) facts.push(answer.value);
    else error ??= answer.error;
  }
  if (error === undefined) return ok(facts);
  return facts.length === 0 ? { ok: false, error } : { ok: false, error, partial: facts };
}
