import type { Millis } from '../kernel/time.ts';
import type { ParsedFamily } from './exposition.ts';
import type { ExportPorts, OtlpEndpoint } from './span.ts';

/** Destination and interval of metrics. */
export interface MetricExportSettings extends OtlpEndpoint {
  /** Absent: the environment decides. */
  readonly interval?: Millis;
}

/**
 * Why data points were not sent. Closed, because it is a label value: the endpoint did not respond or timed out, it
 * rejected them, or the headers file was unreadable.
 */
export const metricDropReasons = ['unreachable', 'timeout', 'refused', 'headers'] as const;

/** One of {@link metricDropReasons}. */
export type MetricDropReason = (typeof metricDropReasons)[number];

/** Counts of data points so far. */
export interface MetricExportCounts {
  readonly exported: number;
  readonly dropped: Readonly<Record<MetricDropReason, number>>;
}

/** Exporter of metrics. */
export interface MetricExporter {
  /** Exports the families that `page` returns, at each interval. */
  start(page: () => Promise<readonly ParsedFamily[]>): void;
  counts(): MetricExportCounts;
  /** Exports once more within `within`, and stops. */
  close(within: Millis): Promise<void>;
}

/** Port to a metrics backend. Failures to reach it appear in the counts and in the log. */
export type OpenMetricExporter = (settings: MetricExportSettings, ports: ExportPorts) => Promise<MetricExporter>;
