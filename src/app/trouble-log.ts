import type { Place } from '../collect/board.ts';
import type { ReadResult } from '../collect/collector.ts';
import type { Logger } from '../kernel/logger.ts';

/** Says once that a place fails, once when it fails otherwise, and once that it works again. */
export class TroubleLog {
  readonly #log: Logger;
  readonly #troubles = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Takes the outcome of a reading and logs what changed. */
  note(place: Place, result: ReadResult<unknown>): void {
    const key = JSON.stringify([place.cluster, place.collector, place.node]);
    const before = this.#troubles.get(key);
    if (result.ok) {
      if (this.#troubles.delete(key)) this.#log.info('reading works again', { ...place });
      return;
    }
    const { reason, status, code, message } = result.error;
    const trouble = [reason, status, code].join(' ');
    if (trouble === before) return;
    this.#troubles.set(key, trouble);
    this.#log.warn('reading fails', { ...place, reason, status, code, message });
  }

  /** Forgets the troubles of places that are gone. */
  forget(gone: (place: Place) => boolean): void {
    for (const key of this.#troubles.keys()) {
      const [cluster = '', collector = '', node = '']: readonly string[] = JSON.parse(key);
      if (gone({ cluster, collector, node })) this.#troubles.delete(key);
    }
  }
}
