import { z } from 'zod';
import { urlField } from '../graphdb/settings-fields.ts';

/** What is traced, and where it goes. */
export interface TracingSettings {
  /** Without `v1/traces`. Absent: only where the environment names an endpoint is anything traced. */
  readonly endpoint?: string;
  readonly headersFile?: string;
  /** Absent: as `OTEL_TRACES_SAMPLER` says, and everything where that says nothing. */
  readonly sample?: number;
  readonly queries: boolean;
  readonly incidents: boolean;
  readonly cycles: boolean;
}

/** The `telemetry.traces` section of the configuration. */
export const tracingSection = z
  .strictObject({
    endpoint: urlField('http://127.0.0.1:4318')
      .optional()
      .describe(
        'Base URL of an OTLP/HTTP endpoint; `/v1/traces` is appended. Defaults to `OTEL_EXPORTER_OTLP_ENDPOINT`; without both, traces are off.',
      ),
    headers_file: z
      .string()
      .min(1)
      .optional()
      .describe('File with headers for each request, one `Name: value` per line; read again for every request.')
      .meta({ examples: ['otlp-headers.txt'] }),
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
