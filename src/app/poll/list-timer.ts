import { isListCall } from '../../collect/collector.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { CallObserver, CompletedCall } from '../../graphdb/completed-call.ts';
import type { Millis } from '../../kernel/time.ts';
import type { SpanReference } from '../../model/span.ts';

/** Observer of the requests of one poll that measures the server time of its lists; `next` observes them as well. */
export class ListTimer implements CallObserver {
  readonly cycle: SpanReference | undefined;
  readonly #next: CallObserver | undefined;
  #time: Millis = 0;

  constructor(next?: CallObserver) {
    this.cycle = next?.cycle;
    this.#next = next;
  }

  /** Server time of the lists so far: from the request to the last byte, without waiting for a connection. */
  readonly read = (): Millis => this.#time;

  readonly onCall = (call: CompletedCall): void => {
    const { name, started, ended, queued = 0 } = call;
    if (isListCall(name)) this.#time += Math.max(0, ended.mono - started.mono - queued);
    this.#next?.onCall(call);
  };
}

/**
 * Returns the server time of a poll: that of its process lists if it has any, otherwise its duration. Time for which
 * this process was stopped does not count.
 */
export function serverTime({ started, ended, listTime }: PollResult, timeout: Millis): Millis {
  return Math.min(listTime ?? Number.POSITIVE_INFINITY, ended.mono - started.mono, timeout);
}
