import type { Board, Place } from '../collect/board.ts';
import type { Reading } from '../collect/runner.ts';
import type { CallWatch, MadeCall } from '../graphdb/made-call.ts';
import type { FailureReason } from '../kernel/failure.ts';
import type { Random } from '../kernel/system.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { SpanPlace, SpanSink } from '../model/span.ts';
import { callSpan } from '../trace/call-span.ts';
import { type Cycle, cycleSpans, isTelling, type TracedCall, type TracedTry } from '../trace/cycle.ts';
import { placeIn, rootPlace } from '../trace/span-place.ts';
import type { CallDurations } from './call-metrics.ts';
import type { CollectorRecord } from './collector-metrics.ts';
import type { LinkQuestion } from './own-traces.ts';

interface CycleContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly spans: SpanSink;
  /** Told of the calls whose spans are kept. */
  readonly calls: Pick<CallDurations, 'exemplify'>;
  readonly isLinked: LinkQuestion;
}

interface CycleStart {
  readonly of: Place;
  /** How long the reading may take. */
  readonly timeout: Millis;
  /** The latest reading of the same place. */
  readonly before: Reading | undefined;
}

/** Where cycles come from. */
export interface CycleSource extends Omit<CycleContext, 'spans'> {
  readonly board: Board;
  /** Absent where nobody traces. */
  readonly spans?: SpanSink;
}

/** Begins the trace of a cycle; undefined where nobody traces. */
export function beginCycle(
  of: Place,
  timeout: Millis,
  { board, clock, random, calls, isLinked, spans }: CycleSource,
): OpenCycle | undefined {
  if (spans === undefined) return undefined;
  return new OpenCycle({ of, timeout, before: board.latest(of)?.reading }, { clock, random, calls, isLinked, spans });
}

/** A cycle under way: collects what its trace will tell, and hands it over when it is over. */
export class OpenCycle implements CallWatch {
  readonly cycle: SpanPlace;
  readonly #context: CycleContext;
  readonly #start: CycleStart;
  readonly #started: Instant;
  readonly #tries: TracedTry[] = [];
  readonly #calls: TracedCall[] = [];
  #isKept: boolean | undefined;

  constructor(start: CycleStart, context: CycleContext) {
    this.#start = start;
    this.#context = context;
    this.#started = context.clock.now();
    this.cycle = rootPlace(context.random);
  }

  readonly called = (call: MadeCall): void => this.#note(call, this.cycle.spanId);

  /** One of the nodes that can give a fact of the whole cluster is asked; `read` gives what came of it. */
  async attempt<Read extends Reading | undefined>(
    node: string,
    read: (watch: CallWatch) => Promise<Read>,
  ): Promise<Read> {
    const { clock, random } = this.#context;
    const place = placeIn(this.cycle, random);
    const started = clock.now();
    const reading = await read({ cycle: this.cycle, called: (call) => this.#note(call, place.spanId) });
    this.#tries.push({ place, node, started, ended: clock.now(), ...failureOf(reading) });
    return reading;
  }

  /** What was read is on the page, as `shown` says: the trace is complete, and kept or not. */
  over(read: Reading, shown: Pick<CollectorRecord, 'reading' | 'series'> | undefined): void {
    // What could not be shown is a failed reading by now.
    const { reading = read, series = 0 } = shown ?? {};
    const { clock } = this.#context;
    const { of, timeout, before } = this.#start;
    const cycle = {
      ...of,
      place: this.cycle,
      started: this.#started,
      ended: clock.now(),
      ...failureOf(reading),
      isPartial: !reading.result.ok && reading.result.partial !== undefined,
      series,
      links: before?.result.ok === false && before.cycle !== undefined ? [before.cycle] : [],
      tries: this.#tries,
      calls: this.#calls,
    };
    const isLinked = this.#context.isLinked(this.cycle, () => this.#hand(cycle, true));
    this.#hand(cycle, isLinked || isTelling(cycle, timeout));
  }

  #hand(cycle: Cycle, isWanted: boolean): void {
    if (this.#isKept === true) return;
    const { spans, calls } = this.#context;
    this.#isKept = spans.keeps(this.cycle.traceId, isWanted);
    if (!this.#isKept) return;
    for (const span of cycleSpans(cycle)) spans.take(span);
    for (const { place, call } of this.#calls) calls.exemplify(cycle.cluster, call, place);
  }

  /** What is still asked in the background when the reading is there comes after the rest of its trace. */
  #note(call: MadeCall, parentId: string): void {
    const { spans, random } = this.#context;
    const place = placeIn(this.cycle, random);
    if (this.#isKept === undefined) this.#calls.push({ place, parentId, call });
    else if (this.#isKept) spans.take(callSpan(call, { place, parentId, began: this.#started }));
  }
}

function failureOf(reading: Reading | undefined): { readonly failure?: FailureReason } {
  return reading === undefined || reading.result.ok ? {} : { failure: reading.result.error.reason };
}
