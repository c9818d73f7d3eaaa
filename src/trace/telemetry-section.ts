import { z } from 'zod';
import { durationField, urlField } from '../graphdb/settings-fields.ts';
import type { Millis } from '../kernel/time.ts';

/** Settings of traces. */
export interface TracingSettings {
  /** Base URL without `v1/traces`. Absent: that of the environment; without it, tracing is off. */
  readonly endpoint?: string;
  readonly headersFile?: string;
  /** Share of traces. Absent: that of `OTEL_TRACES_SAMPLER`, or all. */
  readonly sample?: number;
  readonly queries: boolean;
  readonly incidents: boolean;
  readonly cycles: boolean;
}

/** Settings of the metric export. */
export interface MetricSettings {
  /** Base URL without `v1/metrics`. Absent: the environment decides whether metrics are exported. */
  readonly endpoint?: string;
  readonly headersFile?: string;
  /** Absent: `OTEL_METRIC_EXPORT_INTERVAL`. */
  readonly interval?: Millis;
}

/** Settings of the OTLP export. */
export interface TelemetrySettings {
  readonly traces: TracingSettings;
  readonly metrics: MetricSettings;
}

/** Keys of both signals. */
function endpointFields(signal: 'traces' | 'metrics') {
  return {
    endpoint: urlField('http://127.0.0.1:4318')
      .optional()
      .describe(
        `Base URL of an OTLP/HTTP endpoint; \`/v1/${signal}\` is appended. Defaults to \`OTEL_EXPORTER_OTLP_ENDPOINT\`; without both, ${signal} are not exported.`,
      ),
    headers_file: z
      .string()
      .min(1)
      .optional()
      .describe('File with headers for each request, one `Name: value` per line; read again for every request.')
      .meta({ examples: ['otlp-headers.txt'] }),
  };
}

const minimumInterval: Millis = 1000;

const metricsSection = z
  .strictObject({
    ...endpointFields('metrics'),
    interval: durationField
      .refine((interval) => interval >= minimumInterval, { error: 'must be 1s or longer' })
      .optional()
      .describe('Export interval. Defaults to `OTEL_METRIC_EXPORT_INTERVAL`, otherwise 60s.')
      .meta({ examples: ['60s'] }),
  })
  .transform(({ endpoint, headers_file: headersFile, interval }): MetricSettings => {
    return {
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(headersFile === undefined ? {} : { headersFile }),
      ...(interval === undefined ? {} : { interval }),
    };
  })
  .prefault({});

const tracesSection = z
  .strictObject({
    ...endpointFields('traces'),
    sample: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Share of traces that is sampled. Defaults to `OTEL_TRACES_SAMPLER`, otherwise 1.')
      .meta({ examples: [1] }),
    queries: z.boolean().prefault(true).describe('Creates a span for each query in the process lists.'),
    incidents: z
      .boolean()
      .prefault(true)
      .describe('Creates a span for each period in which a service instance was not online.'),
    cycles: z
      .boolean()
      .prefault(false)
      .describe(
        'Creates a trace for healthy poll cycles too, with their calls. Failed and slow cycles, aborts, notifications and the cycles that they link to are always traced.',
      ),
  })
  .transform(({ endpoint, headers_file: headersFile, sample, ...rest }): TracingSettings => {
    return {
      ...rest,
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(headersFile === undefined ? {} : { headersFile }),
      ...(sample === undefined ? {} : { sample }),
    };
  })
  .prefault({});

/** The `telemetry` section of the configuration. */
export const telemetrySection = z
  .strictObject({
    traces: tracesSection.describe('Export of traces.'),
    metrics: metricsSection.describe('Export of the metrics of `/metrics`.'),
  })
  .prefault({})
  .describe('Export over OTLP.');
