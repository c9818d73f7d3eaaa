import type { GraphDb } from '../graphdb/graph-db.ts';
import { cancelled, type Failure, failure } from '../kernel/failure.ts';
import type { Logger } from '../kernel/logger.ts';
import { err } from '../kernel/result.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { SpanReference } from '../model/span.ts';
import type { Collector, PollOutcome } from './collector.ts';

/** One collector to poll on one node. */
export interface PollJob {
  readonly collector: Collector;
  readonly db: GraphDb;
  readonly timeout: Millis;
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
  /** Span of the poll cycle, if it is traced. */
  readonly cycle?: SpanReference;
}

/** Node that failed to return a fact of the whole cluster. */
export interface FailedAttempt {
  readonly node: string;
  readonly error: Failure;
}

interface RunningPoll {
  readonly pollResult: Promise<PollResult>;
  /** Monotonic time at which a poll that does not end loses its permit. */
  readonly expires: number;
  readonly abort: AbortController;
  /** The result was delivered, although the poll itself may still hang. */
  isResolved: boolean;
  /** The poll itself has ended, although the result may not be delivered yet. */
  hasReturned: boolean;
}

/** Time for an aborted poll to return the part that arrived. */
export const abortGrace: Millis = 200;

/** Runs the polls of one cluster: at most one in flight per node and collector. */
export class PollRunner {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #running = new Map<string, RunningPoll>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Polls, or joins the same poll in flight. Returns undefined while an earlier poll that ignored its abort still holds
   * the permit: another one would only add load.
   */
  poll(job: PollJob): Promise<PollResult> | undefined {
    const key = `${job.collector.name}/${job.db.node}`;
    const held = this.#running.get(key);
    if (held?.isResolved === false) return held.pollResult;
    if (held !== undefined && this.#clock.now().mono < held.expires) return undefined;
    const flight = this.#start(job, key);
    this.#running.set(key, flight);
    return flight.pollResult;
  }

  /** Aborts the polls in flight; their results are failures that are not reported. */
  stop(): void {
    for (const flight of this.#running.values()) flight.abort.abort(cancelled);
  }

  /** Resolves when no poll is in flight. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map((flight) => flight.pollResult));
  }

  #start(job: PollJob, key: string): RunningPoll {
    const abort = new AbortController();
    const started = this.#clock.now();
    const answer = this.#poll(job, abort.signal).then((result) => {
      flight.hasReturned = true;
      this.#release(key, flight);
      return result;
    });
    const pollResult = this.#resolve(job, { started, answer, abort }).then((decided) => {
      flight.isResolved = true;
      this.#release(key, flight);
      return decided;
    });
    const expires = started.mono + 2 * job.timeout + abortGrace;
    const flight: RunningPoll = { pollResult, expires, abort, isResolved: false, hasReturned: false };
    return flight;
  }

  #release(key: string, flight: RunningPoll): void {
    const isOver = flight.isResolved && flight.hasReturned;
    if (isOver && this.#running.get(key) === flight) this.#running.delete(key);
  }

  async #poll({ collector, db }: PollJob, signal: AbortSignal): Promise<PollOutcome<unknown>> {
    try {
      return await collector.poll(db, signal);
    } catch (error) {
      this.#log.error('collector threw', { node: db.node, collector: collector.name, error });
      return err(failure('body', `the collector '${collector.name}' failed to process the reply`));
    }
  }

  async #resolve({ db, timeout }: PollJob, { started, answer, abort }: StartedPoll): Promise<PollResult> {
    const answered = new AbortController();
    void answer.then(() => answered.abort('answered'));
    await this.#clock.sleep(timeout, AbortSignal.any([answered.signal, abort.signal]));
    if (!answered.signal.aborted) {
      abort.abort();
      await this.#clock.sleep(abortGrace, answered.signal);
    }
    const result = answered.signal.aborted ? await answer : err(timeoutFailure(db, timeout));
    return { result, source: db.node, started, ended: this.#clock.now() };
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
