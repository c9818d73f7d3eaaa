import type { GraphDb } from '../graphdb/graph-db.ts';
import { cancelled } from '../kernel/cancelled.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import type { Logger } from '../kernel/logger.ts';
import { err } from '../kernel/result.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { SpanPlace } from '../model/span.ts';
import type { Collector, ReadResult } from './collector.ts';

/** One collector asked of one node. */
export interface Job {
  readonly collector: Collector;
  readonly db: GraphDb;
  readonly timeout: Millis;
}

/** What became of one {@link Job}. A failed read is a reading too. */
export interface Reading {
  readonly result: ReadResult<unknown>;
  /** The node that was asked; `''` where there was none to ask. */
  readonly source: string;
  readonly started: Instant;
  readonly ended: Instant;
  /** The nodes that were asked for a fact of the whole cluster and failed, although another one may have answered. */
  readonly failedTries?: readonly FailedTry[];
  /** The span of the cycle that it was read in, where that is traced. */
  readonly cycle?: SpanPlace;
}

/** One node that failed to give what any node can give. */
export interface FailedTry {
  readonly node: string;
  readonly error: Failure;
}

interface Flight {
  readonly reading: Promise<Reading>;
  /** Monotonic instant at which a read that will not end loses its permit. */
  readonly expires: number;
  readonly abort: AbortController;
  /** The reading is given, although the read itself may still hang. */
  decided: boolean;
  /** The read itself is over, although the reading may not be given yet. */
  returned: boolean;
}

/** How long an aborted read may take to hand over the part that did arrive. */
export const abortGrace: Millis = 200;

/** Runs the reads of one cluster, each at most once at a time per node and collector. */
export class Runner {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #flights = new Map<string, Flight>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Reads, or joins the same read under way. `undefined` while an earlier read that ignored its abort still
   * holds the permit: asking again would only pile up load.
   */
  read(job: Job): Promise<Reading> | undefined {
    const key = `${job.collector.name}/${job.db.node}`;
    const held = this.#flights.get(key);
    if (held?.decided === false) return held.reading;
    if (held !== undefined && this.#clock.now().mono < held.expires) return undefined;
    const flight = this.#launch(job, key);
    this.#flights.set(key, flight);
    return flight.reading;
  }

  /** Ends the reads under way; their readings are failures that nobody needs to see. */
  stop(): void {
    for (const flight of this.#flights.values()) flight.abort.abort(cancelled);
  }

  /** Resolves when no read is under way any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.#flights.values()].map((flight) => flight.reading));
  }

  #launch(job: Job, key: string): Flight {
    const abort = new AbortController();
    const started = this.#clock.now();
    const answer = this.#ask(job, abort.signal).then((result) => {
      flight.returned = true;
      this.#release(key, flight);
      return result;
    });
    const reading = this.#decide(job, { started, answer, abort }).then((decided) => {
      flight.decided = true;
      this.#release(key, flight);
      return decided;
    });
    const expires = started.mono + 2 * job.timeout + abortGrace;
    const flight: Flight = { reading, expires, abort, decided: false, returned: false };
    return flight;
  }

  #release(key: string, flight: Flight): void {
    const isOver = flight.decided && flight.returned;
    if (isOver && this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  async #ask({ collector, db }: Job, signal: AbortSignal): Promise<ReadResult<unknown>> {
    try {
      return await collector.read(db, signal);
    } catch (error) {
      this.#log.error('a collector threw, which is a bug', { node: db.node, collector: collector.name, error });
      return err(failure('body', `the collector '${collector.name}' could not cope with the answer`));
    }
  }

  async #decide({ db, timeout }: Job, { started, answer, abort }: Asked): Promise<Reading> {
    const answered = new AbortController();
    void answer.then(() => answered.abort());
    await this.#clock.sleep(timeout, AbortSignal.any([answered.signal, abort.signal]));
    if (!answered.signal.aborted) {
      abort.abort();
      await this.#clock.sleep(abortGrace, answered.signal);
    }
    const result = answered.signal.aborted ? await answer : err(overdue(db, timeout));
    return { result, source: db.node, started, ended: this.#clock.now() };
  }
}

interface Asked {
  readonly started: Instant;
  readonly answer: Promise<ReadResult<unknown>>;
  readonly abort: AbortController;
}

function overdue(db: GraphDb, timeout: Millis): Failure {
  return failure('timeout', `no reading from ${db.cluster}/${db.node} within ${timeout} ms`);
}
