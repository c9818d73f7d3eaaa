import type { Clock, Millis } from '../kernel/time.ts';
import type { Answer } from './graph-db.ts';

/** Remembers a good answer for a while; trouble is not remembered. */
export function remembered<Facts>(
  clock: Clock,
  length: Millis,
  ask: (signal: AbortSignal) => Answer<Facts>,
): (signal: AbortSignal) => Answer<Facts> {
  let held: { readonly answer: Awaited<Answer<Facts>>; readonly until: number } | undefined;
  return async (signal) => {
    if (held !== undefined && clock.now().mono < held.until) return held.answer;
    const answer = await ask(signal);
    held = answer.ok ? { answer, until: clock.now().mono + length } : undefined;
    return answer;
  };
}
