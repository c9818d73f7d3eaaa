import type { Logger } from '../kernel/logger.ts';
import type { Store } from '../kernel/store.ts';

/** Says what becomes of the store, once for each change. */
export class StoreWatch {
  readonly #store: Store;
  readonly #log: Logger;
  #trouble: string | undefined;

  constructor(store: Store, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Looks at the store; `refused` is what it said of a batch that it did not take. */
  note(refused?: string): void {
    const trouble = this.#store.trouble ?? refused;
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    if (trouble === undefined) this.#log.info('what happens is stored again');
    else this.#log.error('there is trouble with the state', { reason: trouble, durable: this.#store.durable });
  }
}
