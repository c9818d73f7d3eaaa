import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Span, SpanRecorder, SpanReference } from '../../model/span.ts';
import type { SpanStatistics } from './export-statistics.ts';
import { hrTime } from './hr-time.ts';
import { isSampled } from './otel-environment.ts';

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER } as const;

/** Converts our finished spans, which have ids, to spans of the library. */
export class SpanWriter implements SpanRecorder {
  readonly #statistics: SpanStatistics;
  readonly #samplingRatio: number;
  #tracerOf: ((resource: Span['resource']) => Tracer) | undefined;
  #reference: SpanReference = { traceId: '', spanId: '' };
  #hasEnded = false;

  /** Id generator of the library: returns the ids of the span that is being written. */
  readonly ids = {
    generateTraceId: (): string => this.#reference.traceId,
    generateSpanId: (): string => this.#reference.spanId,
  };

  constructor(statistics: SpanStatistics, samplingRatio: number) {
    this.#statistics = statistics;
    this.#samplingRatio = samplingRatio;
  }

  /** Writes through the tracer of the resource of each span from now on. */
  begin(tracerOf: (resource: Span['resource']) => Tracer): void {
    this.#tracerOf = tracerOf;
  }

  /** Drops further spans. */
  end(): void {
    this.#hasEnded = true;
  }

  isSampled(traceId: string, anyway = false): boolean {
    return anyway ? this.#samplingRatio > 0 : isSampled(traceId, this.#samplingRatio);
  }

  record(span: Span): void {
    // The caller has sampled the span already; without an endpoint no span is recorded.
    if (this.#samplingRatio === 0) return;
    if (this.#hasEnded) this.#statistics.drop('stopped', 1);
    else if (this.#statistics.admit()) this.#writeSpan(span);
  }

  #writeSpan(span: Span): void {
    const { name, kind, start, end, attributes, events, links, error, resource } = span;
    const options = {
      kind: kinds[kind],
      startTime: hrTime(start),
      attributes: { ...attributes },
      links: links.map((reference) => ({ context: contextOf(reference) })),
    };
    this.#reference = span;
    const written = this.#tracerOf?.(resource).startSpan(name, options, parentOf(span));
    for (const event of events) written?.addEvent(event.name, { ...event.attributes }, hrTime(event.at));
    if (error !== undefined) written?.setStatus({ code: SpanStatusCode.ERROR, message: error });
    written?.end(hrTime(end));
  }
}

function parentOf({ traceId, parentId }: Span): Context {
  if (parentId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, contextOf({ traceId, spanId: parentId }));
}

function contextOf({ traceId, spanId }: SpanReference): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}
