import { err, ok, type Result } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import {
  type HistoryReader,
  historyTimeout,
  type Row,
  type Store,
  type StoreQuery,
  type Summary,
} from '../../kernel/store.ts';
import type { Clock } from '../../kernel/time.ts';
import type { WorkerThread } from '../worker-thread.ts';
import { type HistoryRead, type HistoryReply, historyTimeoutMessage, maxHistoryRows } from './history-worker.ts';
import { maxRowsInMemory } from './local-store.ts';
import { messageOf } from './sqlite-errors.ts';

/** Maximum number of rows that a summary reads: about a second of work, so that a host that is five times slower finishes in time. */
const maxRowsOnDisk = 100_000;

/** The parts of a history reader. */
export interface ThreadHistoryParts {
  readonly thread: WorkerThread;
  readonly folder: string;
  /** Store that answers while the state is only in memory. */
  readonly store: Pick<Store, 'durable' | 'find' | 'count'>;
  readonly clock: Clock;
}

/** Reads history in a thread of its own, one read at a time; from the store while the file cannot be read. */
export class ThreadHistory implements HistoryReader {
  readonly #parts: ThreadHistoryParts;
  readonly #reads = new SerialQueue();

  constructor(parts: ThreadHistoryParts) {
    this.#parts = parts;
  }

  get maxSummaryRows(): number {
    return this.#parts.store.durable ? maxRowsOnDisk : maxRowsInMemory;
  }

  async find(query: StoreQuery): Promise<Result<readonly Row[], string>> {
    const reply = await this.#read({ kind: 'find', query });
    if (reply.kind === 'rows') return ok(reply.rows);
    return reply.kind === 'failed' ? err(reply.message) : this.#findInStore(query);
  }

  async count(query: StoreQuery): Promise<Result<number, string>> {
    const reply = await this.#read({ kind: 'count', query });
    if (reply.kind === 'count') return ok(reply.count);
    return reply.kind === 'failed' ? err(reply.message) : this.#parts.store.count(query);
  }

  async summarize(
    { name: summary, compute }: Summary,
    query: StoreQuery,
    input: unknown,
  ): Promise<Result<readonly Row[], string>> {
    const reply = await this.#read({ kind: 'summarize', query, summary, input });
    if (reply.kind === 'rows') return ok(reply.rows);
    if (reply.kind === 'failed') return err(reply.message);
    const found = await this.#findInStore(query);
    return found.ok ? ok(compute(found.value, input)) : found;
  }

  stop(): Promise<void> {
    return this.#parts.thread.stop();
  }

  #findInStore(query: StoreQuery): Promise<Result<readonly Row[], string>> {
    const limit = Math.min(query.limit ?? maxHistoryRows, maxHistoryRows);
    return this.#parts.store.find({ ...query, limit });
  }

  async #read(read: HistoryRead): Promise<HistoryReply> {
    const { store, clock } = this.#parts;
    if (!store.durable) return { kind: 'unavailable', message: '' };
    const deadline = clock.now().mono + historyTimeout;
    return this.#reads.run(() => this.#send(read, deadline));
  }

  /** A read that waited too long for its turn is not sent. */
  async #send(read: HistoryRead, deadline: number): Promise<HistoryReply> {
    const { thread, folder, clock } = this.#parts;
    const timeout = deadline - clock.now().mono;
    if (timeout <= 0) return { kind: 'failed', message: historyTimeoutMessage };
    try {
      const reply = await thread.request({ ...read, folder, timeout });
      return isReply(reply)
        ? reply
        : { kind: 'failed', message: 'the thread of the history returned an unexpected reply' };
    } catch (error) {
      return { kind: 'failed', message: `the thread of the history failed: ${messageOf(error)}` };
    }
  }
}

function isReply(value: unknown): value is HistoryReply {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
