import type { GraphDb } from '../graphdb/graph-db.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import type { Logger } from '../kernel/logger.ts';
import { err } from '../kernel/result.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
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
}

/** Runs reads of one cluster, each at most once at a time per node and collector. */
export interface Runner {
  /**
   * Reads, or joins the same read under way. `undefined` while an earlier read that ignored its abort still
   * holds the permit: asking again would only pile up load.
   */
  read(job: Job): Promise<Reading> | undefined;
  /** Ends the reads under way, of one node or all; their readings are failures that nobody needs to see. */
  stop(node?: string): void;
  /** Resolves when no read is under way any more. */
  idle(): Promise<void>;
}

interface Flight {
  readonly node: string;
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

/** Makes the runner of one cluster. */
export function createRunner(clock: Clock, log: Logger): Runner {
  const flights = new Map<string, Flight>();
  return { read, stop, idle };

  function read(job: Job): Promise<Reading> | undefined {
    const key = `${job.collector.name}/${job.db.node}`;
    const held = flights.get(key);
    if (held?.decided === false) return held.reading;
    if (held !== undefined && clock.now().mono < held.expires) return undefined;
    const flight = launch(job, key);
    flights.set(key, flight);
    return flight.reading;
  }

  function launch(job: Job, key: string): Flight {
    const abort = new AbortController();
    const started = clock.now();
    const answer = ask(job, abort.signal).then((result) => {
      flight.returned = true;
      release(key, flight);
      return result;
    });
    const reading = decide(job, { started, answer, abort }).then((decided) => {
      flight.decided = true;
      release(key, flight);
      return decided;
    });
    const expires = started.mono + 2 * job.timeout + abortGrace;
    const flight: Flight = { node: job.db.node, reading, expires, abort, decided: false, returned: false };
    return flight;
  }

  function release(key: string, flight: Flight): void {
    const isOver = flight.decided && flight.returned;
    if (isOver && flights.get(key) === flight) flights.delete(key);
  }

  async function ask({ collector, db }: Job, signal: AbortSignal): Promise<ReadResult<unknown>> {
    try {
      return await collector.read(db, signal);
    } catch (error) {
      log.error('a collector threw, which is a bug', { node: db.node, collector: collector.name, error });
      return err(failure('body', `the collector '${collector.name}' could not cope with the answer`));
    }
  }

  async function decide(
    { db, timeout }: Job,
    { started, answer, abort }: Pick<Flight, 'abort'> & { started: Instant; answer: Promise<ReadResult<unknown>> },
  ): Promise<Reading> {
    const answered = new AbortController();
    void answer.then(() => answered.abort());
    await clock.sleep(timeout, AbortSignal.any([answered.signal, abort.signal]));
    if (!answered.signal.aborted) {
      abort.abort();
      await clock.sleep(abortGrace, answered.signal);
    }
    const result = answered.signal.aborted ? await answer : err(overdue(db, timeout));
    return { result, source: db.node, started, ended: clock.now() };
  }

  function stop(node?: string): void {
    for (const flight of flights.values()) {
      if (node === undefined || flight.node === node) flight.abort.abort();
    }
  }

  async function idle(): Promise<void> {
    await Promise.all([...flights.values()].map((flight) => flight.reading));
  }
}

function overdue(db: GraphDb, timeout: Millis): Failure {
  return failure('timeout', `no reading from ${db.cluster}/${db.node} within ${timeout} ms`);
}
