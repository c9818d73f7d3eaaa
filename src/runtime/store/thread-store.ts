import { err, ok, type Result } from '../../kernel/result.ts';
import type { CommitPriority, OpenStore, Row, Store, StoreChange, StoreQuery } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { systemClock } from '../clock.ts';
import type { WorkerThread } from '../worker-thread.ts';
import { type CommitTask, nextGroup } from './commit-order.ts';
import { memoryStore } from './local-store.ts';
import type { StateStatus } from './state-database.ts';
import { StateThread } from './state-thread.ts';
import type { StateReply, StateRequest } from './state-worker.ts';
import { ThreadHistory } from './thread-history.ts';

interface RequestTask {
  readonly kind: 'request';
  readonly request: StateRequest;
  readonly settle: (answer: Result<StateReply, string>) => void;
}

/** Caller that waits for a reply; the first outcome counts. */
interface PendingTask {
  readonly settle: (outcome: Result<never, string>) => void;
}

/** The parts of a store. `now` returns ms since the epoch, by which history ages. */
export interface ThreadStoreParts {
  readonly history: WorkerThread;
  readonly now: () => number;
  readonly clock: Clock;
}

/** Timeout of the disk, after which pending commits fail and notifications continue without them. */
const diskTimeout: Millis = 10_000;

/** Maximum number of commits that stay queued while the disk fails; the oldest are dropped. */
const maxPendingTasks = 10_000;

const diskTimeoutMessage = `the disk has not responded for ${diskTimeout / 1000} s`;
const closedMessage = 'the store is closed';
const noAnswerMessage = 'the store returned no outcome';

/**
 * Store whose database is open in another thread. The thread commits batches in order, but urgent ones first; batches that
 * arrive during other work are committed together, before queries. So an urgent commit waits for at most one transaction or
 * request. A further thread reads history. While the disk does not respond, callers do not wait for it: the changes are not
 * durable until the disk responds again and the store writes them.
 */
export class ThreadStore implements Store {
  readonly #thread: StateThread;
  readonly #now: () => number;
  readonly #clock: Clock;
  readonly history: ThreadHistory;
  readonly #tasks: (CommitTask | RequestTask)[] = [];
  #status: StateStatus;
  #isProcessing = false;
  #isBlocked = false;
  #closed: Promise<void> | undefined;

  constructor(thread: StateThread, status: StateStatus, parts: ThreadStoreParts) {
    this.#thread = thread;
    this.#status = status;
    this.#now = parts.now;
    this.#clock = parts.clock;
    this.history = new ThreadHistory({ thread: parts.history, folder: thread.folder, store: this, clock: parts.clock });
  }

  get durable(): boolean {
    return this.#status.durable && !this.#isBlocked;
  }

  get problem(): string | undefined {
    return this.#isBlocked ? diskTimeoutMessage : this.#status.problem;
  }

  get wasRecreated(): boolean {
    return this.#status.wasRecreated;
  }

  get mergeCount(): number {
    return this.#status.mergeCount;
  }

  async commit(changes: readonly StoreChange[], priority: CommitPriority = 'normal'): Promise<Result<void, string>> {
    if (this.#closed !== undefined) return err(closedMessage);
    return new Promise((settle) => this.#add({ kind: 'commit', priority, changes, settle }));
  }

  async find(query: StoreQuery): Promise<Result<readonly Row[], string>> {
    const answer = await this.#enqueueRequest({ kind: 'find', query });
    return answer.ok ? (answer.value.rows ?? err(noAnswerMessage)) : answer;
  }

  async count(query: StoreQuery): Promise<Result<number, string>> {
    const answer = await this.#enqueueRequest({ kind: 'count', query });
    return answer.ok ? (answer.value.count ?? err(noAnswerMessage)) : answer;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end(this.#enqueueRequest({ kind: 'close' }));
    return this.#closed;
  }

  async #end(last: Promise<unknown>): Promise<void> {
    // A connection that is still open would keep the write-ahead log.
    await this.history.stop();
    await last;
    await this.#thread.stop();
  }

  async #enqueueRequest(request: StateRequest): Promise<Result<StateReply, string>> {
    if (this.#closed !== undefined) return err(closedMessage);
    return new Promise((settle) => this.#add({ kind: 'request', request, settle }));
  }

  #add(task: CommitTask | RequestTask): void {
    this.#tasks.push(task);
    if (!this.#isProcessing) void this.#processTasks();
    else if (this.#isBlocked) this.#failPending([]);
  }

  /** Fails all pending tasks; commits stay queued until the disk works again. */
  #failPending(underWay: readonly PendingTask[]): void {
    for (const { settle } of [...underWay, ...this.#tasks]) settle(err(diskTimeoutMessage));
    const later = this.#tasks.filter((task) => task.kind === 'commit' || task.request.kind === 'close');
    this.#tasks.splice(0, this.#tasks.length, ...later.slice(-maxPendingTasks));
  }

  async #processTasks(): Promise<void> {
    this.#isProcessing = true;
    // Batches that are passed together are committed as one group.
    await Promise.resolve();
    for (let group = this.#takeGroup(); group.length + this.#tasks.length > 0; group = this.#takeGroup()) {
      const task = group.length === 0 ? this.#tasks.shift() : undefined;
      if (task === undefined) await this.#commit(group);
      else if (task.kind === 'request') task.settle(await this.#answerTo(task.request, [task]));
    }
    this.#isProcessing = false;
  }

  /** Removes the next batches from the queue and returns them. */
  #takeGroup(): readonly CommitTask[] {
    const group = nextGroup(this.#tasks.filter((one) => one.kind === 'commit'));
    const taken = new Set<CommitTask | RequestTask>(group);
    if (taken.size > 0) this.#tasks.splice(0, this.#tasks.length, ...this.#tasks.filter((task) => !taken.has(task)));
    return group;
  }

  async #commit(group: readonly CommitTask[]): Promise<void> {
    const batches = group.map(({ changes }) => changes);
    const answer = await this.#answerTo({ kind: 'commit', batches, now: this.#now() }, group);
    const outcomes = answer.ok ? (answer.value.outcomes ?? []) : [];
    const otherwise = answer.ok ? err(noAnswerMessage) : answer;
    for (const [index, { settle }] of group.entries()) settle(outcomes[index] ?? otherwise);
  }

  async #watchDisk(waiting: readonly PendingTask[], answered: AbortSignal): Promise<void> {
    await this.#clock.sleep(diskTimeout, answered);
    if (answered.aborted) return;
    this.#isBlocked = true;
    this.#failPending(waiting);
  }

  async #answerTo(request: StateRequest, waiting: readonly PendingTask[]): Promise<Result<StateReply, string>> {
    const answered = new AbortController();
    void this.#watchDisk(waiting, answered.signal);
    try {
      const reply = await this.#thread.request(request);
      this.#status = reply.status;
      return ok(reply);
    } catch (error) {
      const problem = `the thread of the store failed: ${error instanceof Error ? error.message : String(error)}`;
      this.#status = { ...this.#status, durable: false, problem };
      return err(problem);
    } finally {
      answered.abort();
      this.#isBlocked = false;
    }
  }
}

/**
 * Creates the function that opens stores. Threads access the database, so that no fsync blocks the event loop; without a folder,
 * the store is in memory. `worker` opens a thread in the role of `stateWork` or `historyWork`; `now` returns ms since the epoch
 * and determines the age of history.
 */
export function openStore(
  worker: (role: 'state' | 'history') => WorkerThread,
  now: () => number = Date.now,
  clock: Clock = systemClock,
): OpenStore {
  return async ({ folder, retention }) => {
    const limits = { retention, now };
    if (folder === undefined) return ok(memoryStore(undefined, limits));
    const thread = new StateThread(worker('state'), { folder, retention });
    try {
      const { status, refusal } = await thread.open();
      if (refusal === undefined) return ok(new ThreadStore(thread, status, { history: worker('history'), now, clock }));
      await thread.stop();
      return err(refusal);
    } catch (error) {
      await thread.stop();
      const sentence = error instanceof Error ? error.message : String(error);
      return ok(memoryStore(`the state is kept only in memory: ${sentence}`, limits));
    }
  };
}
