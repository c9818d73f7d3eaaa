import type { Logger } from '../kernel/logger.ts';
import type { Files } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { SpanSink } from './span.ts';

/** Where spans are sent, and which of them. */
export interface SpanRoute {
  /** The whole address, path and all, that takes spans as OTLP over HTTP. */
  readonly url: string;
  /** Headers for each request, one `Name: value` a line; read again for every request. */
  readonly headersFile?: string;
  /** The share of traces that is kept, 0 to 1; where it is absent, the environment has the say. */
  readonly sample?: number;
}

/**
 * Why a span was not sent. Closed, because it is a label value: there was no room for it, nobody answered, in no time,
 * what answered did not want it, the headers could not be read, or the end came first.
 */
export const spanDropReasons = ['queue_full', 'unreachable', 'timeout', 'refused', 'headers', 'stopped'] as const;

/** One of {@link spanDropReasons}. */
export type SpanDropReason = (typeof spanDropReasons)[number];

/** What became of the spans so far; those that sampling leaves out are in none of the figures. */
export interface SpanTally {
  readonly exported: number;
  readonly dropped: Readonly<Record<SpanDropReason, number>>;
}

/** A way out for spans. */
export interface SpanExports extends SpanSink {
  tally(): SpanTally;
  /** Sends what is left, for as long as `within`, and takes nothing any more. */
  close(within: Millis): Promise<void>;
}

/** What sending spans needs of the rest of the world. */
export interface SpanExportPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly files: Files;
  readonly build: { readonly version: string };
}

/** The port to a trace backend. Whether it can be reached shows later, in the tally and in the log. */
export type OpenSpanExports = (route: SpanRoute, ports: SpanExportPorts) => Promise<SpanExports>;
