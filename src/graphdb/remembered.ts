import type { Clock, Millis } from '../kernel/time.ts';
import type { Answer } from './graph-db.ts';

/** An answer that is asked for once in a while. */
export interface Remembered<Facts> {
  /** What is remembered, or what `fresh` answers. */
  readonly ask: (fresh: () => Answer<Facts>) => Answer<Facts>;
  /** It may be another one by now. */
  readonly forget: () => void;
}

/** Remembers a good answer for a while; trouble is not remembered. */
export function remembered<Facts>(clock: Clock, length: Millis): Remembered<Facts> {
  let held: { readonly answer: Awaited<Answer<Facts>>; readonly until: number } | undefined;
  return {
    async ask(fresh) {
      if (held !== undefined && clock.now().mono < held.until) return held.answer;
      const answer = await fresh();
      held = answer.ok ? { answer, until: clock.now().mono + length } : undefined;
      return answer;
    },
    forget() {
      held = undefined;
    },
  };
}
