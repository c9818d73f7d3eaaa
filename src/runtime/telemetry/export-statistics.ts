import type { Logger } from '../../kernel/logger.ts';
import type { MetricDropReason, MetricExportCounts } from '../../model/metric-export.ts';
import type { SpanCounts, SpanDropReason } from '../../model/span.ts';

/** Logs the first failure of an endpoint and its recovery. */
class EndpointLog {
  readonly #signal: 'traces' | 'metrics';
  readonly #log: Logger;
  #isFailing = false;

  constructor(signal: 'traces' | 'metrics', log: Logger) {
    this.#signal = signal;
    this.#log = log;
  }

  failed({ reason, message }: ExportFailure): void {
    if (!this.#isFailing) this.#log.warn('telemetry export failed', { signal: this.#signal, reason, error: message });
    this.#isFailing = true;
  }

  succeeded(): void {
    if (this.#isFailing) this.#log.info('telemetry export recovered', { signal: this.#signal });
    this.#isFailing = false;
  }
}

/** Counts exported and dropped data points. Logs failures of the endpoint and their end. */
export class MetricStatistics {
  readonly #log: EndpointLog;
  readonly #dropped: Record<MetricDropReason, number> = { unreachable: 0, timeout: 0, refused: 0, headers: 0 };
  #exported = 0;

  constructor(log: Logger) {
    this.#log = new EndpointLog('metrics', log);
  }

  /** Counts accepted data points. */
  recordExported(count: number): void {
    this.#exported += count;
    this.#log.succeeded();
  }

  /** Counts dropped data points and logs the failure. */
  failed(count: number, error: Error | undefined): void {
    const failure = exportFailure(error);
    this.#dropped[failure.reason] += count;
    this.#log.failed(failure);
  }

  /** Returns the current counts. */
  counts(): MetricExportCounts {
    return { exported: this.#exported, dropped: { ...this.#dropped } };
  }
}

/** Counts queued, exported and dropped spans. Logs failures of the endpoint and their end. */
export class SpanStatistics {
  readonly #capacity: number;
  readonly #log: EndpointLog;
  readonly #dropped: Record<SpanDropReason, number> = {
    queue_full: 0,
    unreachable: 0,
    timeout: 0,
    refused: 0,
    headers: 0,
    stopped: 0,
  };
  #exported = 0;
  #waiting = 0;
  #sending = 0;
  #hasEnded = false;

  constructor(capacity: number, log: Logger) {
    this.#capacity = capacity;
    this.#log = new EndpointLog('traces', log);
  }

  /** Reserves a slot in the queue; returns false if it is full. */
  admit(): boolean {
    if (this.#waiting >= this.#capacity) {
      this.drop('queue_full', 1);
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  /** Records that a batch left the queue. */
  sent(count: number): void {
    this.#waiting -= count;
    this.#sending += count;
  }

  /** Records that a batch was accepted. */
  recordExported(count: number): void {
    if (this.#hasEnded) return;
    this.#sending -= count;
    this.#exported += count;
    this.#log.succeeded();
  }

  /** Records that a batch was not accepted. */
  failed(count: number, error: Error | undefined): void {
    if (this.#hasEnded) return;
    const failure = exportFailure(error);
    this.#sending -= count;
    this.drop(failure.reason, count);
    this.#log.failed(failure);
  }

  /** Counts all queued spans, and those in flight, as dropped. */
  end(): void {
    this.drop('stopped', this.#waiting + this.#sending);
    this.#hasEnded = true;
  }

  /** Counts spans that will not be sent. */
  drop(reason: SpanDropReason, count: number): void {
    this.#dropped[reason] += count;
  }

  /** Returns the current counts. */
  counts(): SpanCounts {
    return { exported: this.#exported, dropped: { ...this.#dropped } };
  }
}

/** Reason why a batch was not accepted, without content of the request or the response. */
export interface ExportFailure {
  readonly reason: MetricDropReason;
  readonly message: string;
}

/** Error of an unusable `headers_file`. It has its own class, because the library passes errors on unchanged. */
export class HeadersError extends Error {}

/** Returns the failure for an export error of the library, without the text of the response. */
export function exportFailure(error: Error | undefined): ExportFailure {
  if (error instanceof HeadersError) return { reason: 'headers', message: error.message };
  const code = errorCode(error);
  if (typeof code === 'number') return { reason: 'refused', message: `the endpoint responded with status ${code}` };
  if (typeof code === 'string') return { reason: 'unreachable', message: `the endpoint cannot be reached: ${code}` };
  if (error?.name === 'OTLPExporterError') return { reason: 'refused', message: 'the endpoint is overloaded' };
  if (error?.message === 'Request timed out')
    return { reason: 'timeout', message: 'the endpoint did not respond in time' };
  return { reason: 'unreachable', message: 'the connection was lost' };
}

function errorCode(error: Error | undefined): string | number | undefined {
  if (error === undefined || !('code' in error)) return undefined;
  return typeof error.code === 'number' || typeof error.code === 'string' ? error.code : undefined;
}
