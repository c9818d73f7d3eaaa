import type { Logger } from '../kernel/logger.ts';
import type { Files } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';

/** Attributes of a span, named by the semantic conventions where these define a name. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Identity of a span: 32 and 16 lowercase hexadecimal digits, neither of them all zeros. */
export interface SpanReference {
  readonly traceId: string;
  readonly spanId: string;
}

/** Event at one time of a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attributes: SpanAttributes;
}

/** Finished span, as a trace backend shows it. */
export interface Span extends SpanReference {
  /** Parent span in the same trace; absent for a root. */
  readonly parentId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'client' | 'server';
  /** Milliseconds since the epoch, with fractions if known. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly SpanEvent[];
  /** Spans of other traces that led to this one, or that it led to. */
  readonly links: readonly SpanReference[];
  /** Why it failed; absent if it succeeded. */
  readonly error?: string;
  /** Attributes of the service that did the work; absent for this process. */
  readonly resource?: Readonly<Record<string, string>>;
}

/** Destination of spans. Accepts them at once, sends them later, and drops those over its limit; never blocks. */
export interface SpanRecorder {
  /**
   * Returns whether sampling keeps this trace; callers check it first, unless the span is always kept. `anyway` checks
   * whether such spans are sent at all.
   */
  isSampled(traceId: string, anyway?: boolean): boolean;
  record(span: Span): void;
}

/** Destination of spans or metrics. */
export interface OtlpEndpoint {
  /** Complete OTLP/HTTP URL of the signal. */
  readonly url: string;
  /** Headers of each request, one `Name: value` per line; the file is read again for every request. */
  readonly headersFile?: string;
}

/** Destination and sampling of spans. */
export interface SpanExportSettings extends OtlpEndpoint {
  /** Sampling ratio from 0 to 1; absent: the environment decides. */
  readonly sample?: number;
}

/**
 * Why a span was not sent. Closed, because it is a label value: the queue was full, the endpoint did not respond or
 * timed out, it rejected the spans, the headers file was unreadable, or the process stopped.
 */
export const spanDropReasons = ['queue_full', 'unreachable', 'timeout', 'refused', 'headers', 'stopped'] as const;

/** One of {@link spanDropReasons}. */
export type SpanDropReason = (typeof spanDropReasons)[number];

/** Counts of spans so far; spans that sampling drops are not counted. */
export interface SpanCounts {
  readonly exported: number;
  readonly dropped: Readonly<Record<SpanDropReason, number>>;
}

/** Exporter of spans. */
export interface TraceExporter extends SpanRecorder {
  counts(): SpanCounts;
  /** Sends the remaining spans for at most `within`, and accepts no more. */
  close(within: Millis): Promise<void>;
}

/** Ports that an exporter needs. */
export interface ExportPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly files: Files;
  readonly build: { readonly version: string };
}

/** Port to a trace backend. Failures to reach it appear in the counts and in the log. */
export type OpenTraceExporter = (settings: SpanExportSettings, ports: ExportPorts) => Promise<TraceExporter>;
