import { err, type Result } from '../../src/kernel/result.ts';
import type { Row, Store, StoreChange, StoreQuery } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';

/** Store in memory that fails on demand, as on a full disk. */
export class FailingStore implements Store {
  readonly problem = undefined;
  readonly wasRecreated = false;
  readonly mergeCount = 0;
  isFull = false;
  readonly #store = memoryStore();

  get durable(): boolean {
    return !this.isFull;
  }

  commit(changes: readonly StoreChange[]): Promise<Result<void, string>> {
    return this.#unlessFull(() => this.#store.commit(changes));
  }

  find(question: StoreQuery): Promise<Result<readonly Row[], string>> {
    return this.#unlessFull(() => this.#store.find(question));
  }

  count(question: StoreQuery): Promise<Result<number, string>> {
    return this.#unlessFull(() => this.#store.count(question));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #unlessFull<Value>(act: () => Promise<Result<Value, string>>): Promise<Result<Value, string>> {
    return this.isFull ? err('the disk is full') : act();
  }
}
