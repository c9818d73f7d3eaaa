import type { Failure } from '../kernel/failure.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Instant } from '../kernel/time.ts';
import type { SpanPlace } from '../model/span.ts';
import type { Caller } from './caller.ts';
import type { PathForm } from './calls.ts';
import type { JsonObject } from './reply.ts';

/** An answer to `GET /restpp/showprocesslistall` that no reader has simplified; its urls hold users' data. */
export interface HeardList {
  readonly cluster: string;
  readonly node: string;
  /** `ip:port` of who answered; `''` where that is unknown, as it is of what did not answer well. */
  readonly address: string;
  readonly answer: Result<JsonObject, Failure>;
  /** Before anything was sent for it: tokens are fetched, and forms tried, while it is under way. */
  readonly started: Instant;
  readonly received: Instant;
  /** The span of the cycle that asked, where that is traced. */
  readonly cycle?: SpanPlace;
}

/** A list without its origin's name, and the path form that was understood; undefined where none was. */
export interface Overheard extends Omit<HeardList, 'cluster' | 'node' | 'cycle'> {
  readonly form: PathForm | undefined;
}

/** A caller whose JSON answers somebody else hears too, before its own user does. */
export function overheard(caller: Caller, hear: (heard: Overheard) => void): Caller {
  return {
    ...caller,
    async json(name, input, signal) {
      const started = caller.clock.now();
      const located = await caller.located(name, input, signal);
      const answer = located.ok ? ok(located.value.json) : located;
      const { address, form } = located.ok ? located.value : { address: '', form: undefined };
      hear({ answer, address, form, started, received: caller.clock.now() });
      return answer;
    },
  };
}
