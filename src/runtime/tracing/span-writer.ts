import {
  type Context,
  type HrTime,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Span, SpanPlace, SpanSink } from '../../model/span.ts';
import type { ExportTally } from './export-tally.ts';
import { isSampled } from './sampling.ts';

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER } as const;

/** Makes the library's spans of ours, which are over and know their ids. */
export class SpanWriter implements SpanSink {
  readonly #tally: ExportTally;
  readonly #share: number;
  #tracer: Tracer | undefined;
  #place: SpanPlace = { traceId: '', spanId: '' };
  #hasEnded = false;

  /** The library asks for ids whenever a span begins: it gets those of the span that is being written. */
  readonly ids = {
    generateTraceId: (): string => this.#place.traceId,
    generateSpanId: (): string => this.#place.spanId,
  };

  constructor(tally: ExportTally, share: number) {
    this.#tally = tally;
    this.#share = share;
  }

  /** Writes through `tracer` from now on. */
  begin(tracer: Tracer): void {
    this.#tracer = tracer;
  }

  /** Takes nothing any more. */
  end(): void {
    this.#hasEnded = true;
  }

  keeps(traceId: string, anyway = false): boolean {
    return anyway ? this.#share > 0 : isSampled(traceId, this.#share);
  }

  take(span: Span): void {
    // Whoever gives a span has chosen to keep it; but nothing at all is to go where nobody wants any.
    if (this.#share === 0) return;
    if (this.#hasEnded) this.#tally.drop('stopped', 1);
    else if (this.#tally.admit()) this.#write(span);
  }

  #write(span: Span): void {
    const { name, kind, start, end, attributes, events, links, error } = span;
    const options = {
      kind: kinds[kind],
      startTime: hrTime(start),
      attributes: { ...attributes },
      links: links.map((place) => ({ context: contextOf(place) })),
    };
    this.#place = span;
    const written = this.#tracer?.startSpan(name, options, parentOf(span));
    for (const event of events) written?.addEvent(event.name, { ...event.attributes }, hrTime(event.at));
    if (error !== undefined) written?.setStatus({ code: SpanStatusCode.ERROR, message: error });
    written?.end(hrTime(end));
  }
}

/** Seconds and nanoseconds: of a bare number the library guesses which clock is meant. */
function hrTime(millis: number): HrTime {
  const seconds = Math.floor(millis / 1000);
  return [seconds, Math.floor((millis - seconds * 1000) * 1e6)];
}

function parentOf({ traceId, parentId }: Span): Context {
  if (parentId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, contextOf({ traceId, spanId: parentId }));
}

function contextOf({ traceId, spanId }: SpanPlace): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}
