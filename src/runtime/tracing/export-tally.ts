import type { Logger } from '../../kernel/logger.ts';
import type { SpanDropReason, SpanTally } from '../../model/tracing.ts';
import { exportTrouble } from './export-trouble.ts';

/** Knows where each span is: waiting, on its way, arrived or dropped. Says in the log when the endpoint fails, and when it is well again. */
export class ExportTally {
  readonly #capacity: number;
  readonly #log: Logger;
  readonly #dropped: Record<SpanDropReason, number> = {
    queue_full: 0,
    unreachable: 0,
    timeout: 0,
    refused: 0,
    headers: 0,
    stopped: 0,
  };
  #exported = 0;
  #waiting = 0;
  #sending = 0;
  #isFailing = false;
  #hasEnded = false;

  constructor(capacity: number, log: Logger) {
    this.#capacity = capacity;
    this.#log = log;
  }

  /** Makes room for one more that waits; false where there is none. */
  admit(): boolean {
    if (this.#waiting >= this.#capacity) {
      this.drop('queue_full', 1);
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  /** A batch has left the queue. */
  sent(count: number): void {
    this.#waiting -= count;
    this.#sending += count;
  }

  /** It has arrived. */
  arrived(count: number): void {
    if (this.#hasEnded) return;
    this.#sending -= count;
    this.#exported += count;
    if (this.#isFailing) this.#log.info('spans arrive at their endpoint again');
    this.#isFailing = false;
  }

  /** It has not. */
  failed(count: number, error: Error | undefined): void {
    if (this.#hasEnded) return;
    const { reason, message } = exportTrouble(error);
    this.#sending -= count;
    this.drop(reason, count);
    if (!this.#isFailing) this.#log.warn('spans do not arrive at their endpoint', { reason, message });
    this.#isFailing = true;
  }

  /** Everything that has not arrived by now never will. */
  end(): void {
    this.drop('stopped', this.#waiting + this.#sending);
    this.#hasEnded = true;
  }

  /** Counts spans that will not be sent. */
  drop(reason: SpanDropReason, count: number): void {
    this.#dropped[reason] += count;
  }

  /** The figures so far. */
  figures(): SpanTally {
    return { exported: this.#exported, dropped: { ...this.#dropped } };
  }
}
