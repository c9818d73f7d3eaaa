import type { GraphDb } from '../graphdb/graph-db.ts';
import { cancelled, type Failure, failure } from '../kernel/failure.ts';
import type { Logger } from '../kernel/logger.ts';
import { err } from '../kernel/result.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { SpanReference } from '../model/span.ts';
import { type Collector, isList, type PollOutcome } from './collector.ts';

/** One collector to poll on one node. */
export interface PollJob {
  readonly collector: Collector;
  readonly db: GraphDb;
  readonly timeout: Millis;
  /** Returns the time that the server has taken for the lists of the poll; absent for other polls. */
  readonly listTime?: () => Millis;
}

/** Result of one {@link PollJob}. A failed poll has a result too. */
export interface PollResult {
  readonly result: PollOutcome<unknown>;
  /** The polled node; `''` if no node was available. */
  readonly source: string;
  readonly started: Instant;
  readonly ended: Instant;
  /** Nodes that failed to return a fact of the whole cluster, even if another node then returned it. */
  readonly failedAttempts?: readonly FailedAttempt[];
  /** Time that the server took for the lists of the poll, without waiting in this process; absent for other polls. */
  readonly listTime?: Millis;
  /** Span of the poll cycle, if it is traced. */
  readonly cycle?: SpanReference;
}

/** Node that failed to return a fact of the whole cluster. */
export interface FailedAttempt {
  readonly node: string;
  readonly error: Failure;
}

/** Poll in flight, or waiting for its turn. */
class RunningPoll {
  readonly abort = new AbortController();
  /** Monotonic time at which a poll that does not end loses its permit. */
  expires = Number.POSITIVE_INFINITY;
  /** The result was delivered, although the poll itself may still hang. */
  isResolved = false;
  /** The poll itself has ended, although the result may not be delivered yet. */
  hasReturned = false;
}

/** Maximum time that a process list waits for a delayed list, so that one that hangs does not delay an abort. */
export const maxListWait: Millis = 250;

/** Lists in flight, by node: a node gets one at a time, because lists are expensive under load. */
export class ListTurns {
  readonly #ends = new Map<string, Promise<unknown>>();

  /** Runs `work` after the lists of the node that are in flight, or after `maxWait`. */
  run<T>(node: string, work: () => Promise<T>, maxWait?: (signal: AbortSignal) => Promise<void>): Promise<T> {
    const before = this.#ends.get(node);
    const result = before === undefined ? work() : waitFor(before, maxWait).then(work);
    const end = Promise.allSettled([before, result]);
    this.#ends.set(node, end);
    void end.finally(() => {
      if (this.#ends.get(node) === end) this.#ends.delete(node);
    });
    return result;
  }
}

async function waitFor(end: Promise<unknown>, maxWait?: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const over = new AbortController();
  await (maxWait === undefined ? end : Promise.race([end, maxWait(over.signal)]));
  over.abort('ended');
}

/** Time for an aborted poll to return the part that arrived. */
export const abortGrace: Millis = 200;

/** Runs the polls of one cluster: at most one in flight per node and collector. */
export class PollRunner {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #lists: ListTurns;
  readonly #running = new Map<string, { readonly flight: RunningPoll; readonly pollResult: Promise<PollResult> }>();

  /** @param lists shared by the runners of a cluster. */
  constructor(clock: Clock, log: Logger, lists = new ListTurns()) {
    this.#clock = clock;
    this.#log = log;
    this.#lists = lists;
  }

  /**
   * Polls, or joins the same poll in flight. Returns undefined while an earlier poll that ignored its abort still holds
   * the permit: another one would only add load.
   */
  poll(job: PollJob): Promise<PollResult> | undefined {
    const key = `${job.collector.name}/${job.db.node}`;
    const held = this.#running.get(key);
    if (held?.flight.isResolved === false) return held.pollResult;
    if (held !== undefined && this.#clock.now().mono < held.flight.expires) return undefined;
    const flight = new RunningPoll();
    const run = (): Promise<PollResult> => this.#run(job, key, flight);
    const pollResult = isList(job.collector) ? this.#inTurn(job, run) : run();
    this.#running.set(key, { flight, pollResult });
    return pollResult;
  }

  /** Aborts the polls in flight; their results are failures that are not reported. */
  stop(): void {
    for (const { flight } of this.#running.values()) flight.abort.abort(cancelled);
  }

  /** Resolves when no poll is in flight. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ pollResult }) => pollResult));
  }

  #inTurn({ collector, db }: PollJob, run: () => Promise<PollResult>): Promise<PollResult> {
    if (collector.processList === undefined) return this.#lists.run(db.node, run);
    return this.#lists.run(db.node, run, (signal) => this.#clock.sleep(maxListWait, signal));
  }

  /** The timeout of a list begins with its turn. */
  async #run(job: PollJob, key: string, flight: RunningPoll): Promise<PollResult> {
    const { abort } = flight;
    const started = this.#clock.now();
    flight.expires = started.mono + 2 * job.timeout + abortGrace;
    const answer = this.#poll(job, abort.signal).then((result) => {
      flight.hasReturned = true;
      this.#release(key, flight);
      return result;
    });
    const result = await this.#resolve(job, { started, answer, abort });
    flight.isResolved = true;
    this.#release(key, flight);
    return result;
  }

  #release(key: string, flight: RunningPoll): void {
    const isOver = flight.isResolved && flight.hasReturned;
    if (isOver && this.#running.get(key)?.flight === flight) this.#running.delete(key);
  }

  async #poll({ collector, db }: PollJob, signal: AbortSignal): Promise<PollOutcome<unknown>> {
    try {
      return await collector.poll(db, signal);
    } catch (error) {
      this.#log.error('collector threw an exception', { node: db.node, collector: collector.name, error });
      return err(failure('body', `the collector '${collector.name}' failed to process the reply`));
    }
  }

  async #resolve({ db, timeout, listTime }: PollJob, { started, answer, abort }: StartedPoll): Promise<PollResult> {
    const wait = { isAnswered: false, over: new AbortController() };
    const onAnswer = (): void => {
      wait.isAnswered = true;
      wait.over.abort('answered');
    };
    void answer.then(onAnswer);
    // Each poll needs this, and a listener costs less than a composed signal (`AbortSignal.any`).
    abort.signal.addEventListener('abort', () => wait.over.abort('aborted'), { once: true });
    if (abort.signal.aborted) wait.over.abort('aborted');
    await this.#clock.sleep(timeout, wait.over.signal);
    if (!wait.isAnswered) {
      abort.abort();
      wait.over = new AbortController();
      await this.#clock.sleep(abortGrace, wait.over.signal);
    }
    const result = wait.isAnswered ? await answer : err(timeoutFailure(db, timeout));
    const ended = this.#clock.now();
    return { result, source: db.node, started, ended, ...(listTime && { listTime: Math.min(listTime(), timeout) }) };
  }
}

interface StartedPoll {
  readonly started: Instant;
  readonly answer: Promise<PollOutcome<unknown>>;
  readonly abort: AbortController;
}

function timeoutFailure(db: GraphDb, timeout: Millis): Failure {
  return failure('timeout', `no poll result from ${db.cluster}/${db.node} within ${timeout} ms`);
}
