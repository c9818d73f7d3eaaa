import type { Failure } from '../kernel/failure.ts';
import type { Result } from '../kernel/result.ts';
import type { Instant } from '../kernel/time.ts';
import type { Caller } from './caller.ts';
import type { JsonObject } from './reply.ts';

/** An answer to `GET /restpp/showprocesslistall` that no reader has simplified; its urls hold users' data. */
export interface HeardList {
  readonly cluster: string;
  readonly node: string;
  readonly answer: Result<JsonObject, Failure>;
  /** Before anything was sent for it: tokens are fetched, and forms tried, while it is under way. */
  readonly started: Instant;
  readonly received: Instant;
}

/** A caller whose JSON answers somebody else hears too, before its own user does. */
export function overheard(
  caller: Caller,
  hear: (heard: Pick<HeardList, 'answer' | 'started' | 'received'>) => void,
): Caller {
  return {
    ...caller,
    async json(name, input, signal) {
      const started = caller.clock.now();
      const answer = await caller.json(name, input, signal);
      hear({ answer, started, received: caller.clock.now() });
      return answer;
    },
  };
}
