import { err, type Result } from '../../src/kernel/result.ts';
import type { HistoryReader, Row, Store, StoreChange, StoreQuery, Summary } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';

/** Store in memory that fails on demand, as on a full disk. */
export class FailingStore implements Store, HistoryReader {
  readonly problem = undefined;
  readonly wasRecreated = false;
  readonly mergeCount = 0;
  /** The history fails together with the store. */
  readonly history = this;
  readonly maxSummaryRows = 10_000;
  isFull = false;
  /** Promise that reads wait for. */
  held: Promise<void> = Promise.resolve();
  readonly #store = memoryStore();

  get durable(): boolean {
    return !this.isFull;
  }

  commit(changes: readonly StoreChange[]): Promise<Result<void, string>> {
    return this.#unlessFull(() => this.#store.commit(changes));
  }

  async find(query: StoreQuery): Promise<Result<readonly Row[], string>> {
    await this.held;
    return this.#unlessFull(() => this.#store.find(query));
  }

  async count(query: StoreQuery): Promise<Result<number, string>> {
    await this.held;
    return this.#unlessFull(() => this.#store.count(query));
  }

  async summarize(summary: Summary, query: StoreQuery, input: unknown): Promise<Result<readonly Row[], string>> {
    await this.held;
    return this.#unlessFull(() => this.#store.history.summarize(summary, query, input));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #unlessFull<Value>(act: () => Promise<Result<Value, string>>): Promise<Result<Value, string>> {
    return this.isFull ? err('the disk is full') : act();
  }
}
