import { err, ok, type Result } from '../../kernel/result.ts';
import type { Change, Question, Row, Store } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { KeeperStatus } from './keeper.ts';
import type { StateThread } from './state-thread.ts';
import type { StateQuestion, StateReply } from './state-worker.ts';

interface Commit {
  readonly kind: 'commit';
  readonly changes: readonly Change[];
  readonly settle: (outcome: Result<void, string>) => void;
}

interface Asked {
  readonly kind: 'asked';
  readonly question: StateQuestion;
  readonly settle: (answer: Result<StateReply, string>) => void;
}

/** Whoever waits for an answer; what is settled twice keeps the first outcome. */
interface Waiting {
  readonly settle: (outcome: Result<never, string>) => void;
}

/** More than this is not committed as one: nobody should wait for all the others. */
const largestGroup = 1000;

/** A disk that takes longer has failed for all that waits for it: what is owed goes out nevertheless. */
const patience: Millis = 10_000;

/** What is to be written when the disk is back; more than this is let go, the oldest first. */
const mostWaiting = 10_000;

const stuckSentence = `the disk has not answered for ${patience / 1000} s`;
const closedSentence = 'the store is closed';
const noAnswer = 'the store did not say what became of it';

/**
 * The store whose database is open in another thread. What is asked is done in the order in which it came; batches
 * that came in while others were written are committed together. While the disk does not answer nobody waits for it:
 * what is given is written when it does, but is not durable until then.
 */
export class ThreadStore implements Store {
  readonly #thread: StateThread;
  readonly #now: () => number;
  readonly #clock: Clock;
  readonly #tasks: (Commit | Asked)[] = [];
  #status: KeeperStatus;
  #working = false;
  #isStuck = false;
  #closed: Promise<void> | undefined;

  constructor(thread: StateThread, status: KeeperStatus, now: () => number, clock: Clock) {
    this.#thread = thread;
    this.#status = status;
    this.#now = now;
    this.#clock = clock;
  }

  get durable(): boolean {
    return this.#status.durable && !this.#isStuck;
  }

  get trouble(): string | undefined {
    return this.#isStuck ? stuckSentence : this.#status.trouble;
  }

  get begunAnew(): boolean {
    return this.#status.begunAnew;
  }

  async commit(changes: readonly Change[]): Promise<Result<void, string>> {
    if (this.#closed !== undefined) return err(closedSentence);
    return new Promise((settle) => this.#add({ kind: 'commit', changes, settle }));
  }

  async find(question: Question): Promise<Result<readonly Row[], string>> {
    const answer = await this.#ask({ kind: 'find', question });
    return answer.ok ? (answer.value.rows ?? err(noAnswer)) : answer;
  }

  async count(question: Question): Promise<Result<number, string>> {
    const answer = await this.#ask({ kind: 'count', question });
    return answer.ok ? (answer.value.count ?? err(noAnswer)) : answer;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end(this.#ask({ kind: 'close' }));
    return this.#closed;
  }

  async #end(last: Promise<unknown>): Promise<void> {
    await last;
    await this.#thread.stop();
  }

  async #ask(question: StateQuestion): Promise<Result<StateReply, string>> {
    if (this.#closed !== undefined) return err(closedSentence);
    return new Promise((settle) => this.#add({ kind: 'asked', question, settle }));
  }

  #add(task: Commit | Asked): void {
    this.#tasks.push(task);
    if (!this.#working) void this.#work();
    else if (this.#isStuck) this.#giveUp([]);
  }

  /** Nobody waits any longer; what can still be written when the disk is back stays. */
  #giveUp(underWay: readonly Waiting[]): void {
    for (const { settle } of [...underWay, ...this.#tasks]) settle(err(stuckSentence));
    const later = this.#tasks.filter((task) => task.kind === 'commit' || task.question.kind === 'close');
    this.#tasks.splice(0, this.#tasks.length, ...later.slice(-mostWaiting));
  }

  async #work(): Promise<void> {
    this.#working = true;
    // What is given in one go is meant to be one group.
    await Promise.resolve();
    for (let task = this.#tasks[0]; task !== undefined; task = this.#tasks[0]) {
      if (task.kind === 'commit') await this.#commit(this.#takeGroup());
      else {
        this.#tasks.shift();
        task.settle(await this.#answerTo(task.question, [task]));
      }
    }
    this.#working = false;
  }

  /** The batches at the head of what waits. */
  #takeGroup(): readonly Commit[] {
    const group: Commit[] = [];
    for (let task = this.#tasks[0]; task?.kind === 'commit' && group.length < largestGroup; task = this.#tasks[0]) {
      group.push(task);
      this.#tasks.shift();
    }
    return group;
  }

  async #commit(group: readonly Commit[]): Promise<void> {
    const batches = group.map(({ changes }) => changes);
    const answer = await this.#answerTo({ kind: 'commit', batches, now: this.#now() }, group);
    const outcomes = answer.ok ? (answer.value.outcomes ?? []) : [];
    const otherwise = answer.ok ? err(noAnswer) : answer;
    for (const [place, { settle }] of group.entries()) settle(outcomes[place] ?? otherwise);
  }

  async #lookOut(waiting: readonly Waiting[], answered: AbortSignal): Promise<void> {
    await this.#clock.sleep(patience, answered);
    if (answered.aborted) return;
    this.#isStuck = true;
    this.#giveUp(waiting);
  }

  async #answerTo(question: StateQuestion, waiting: readonly Waiting[]): Promise<Result<StateReply, string>> {
    const answered = new AbortController();
    void this.#lookOut(waiting, answered.signal);
    try {
      const reply = await this.#thread.ask(question);
      this.#status = reply.status;
      return ok(reply);
    } catch (error) {
      const trouble = `the thread of the store broke: ${error instanceof Error ? error.message : String(error)}`;
      this.#status = { ...this.#status, durable: false, trouble };
      return err(trouble);
    } finally {
      answered.abort();
      this.#isStuck = false;
    }
  }
}
