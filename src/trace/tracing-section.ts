import { z } from 'zod';
import { urlField } from '../graphdb/url-field.ts';

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

/** The `tracing` section of the configuration. */
export const tracingSection = z
  .strictObject({
    endpoint: urlField('http://127.0.0.1:4318')
      .optional()
      .describe(
        'Takes OTLP over HTTP; `/v1/traces` is added. Absent: what `OTEL_EXPORTER_OTLP_ENDPOINT` names, or none.',
      ),
    headers_file: z
      .string()
      .min(1)
      .optional()
      .describe('Headers for each request to the endpoint, one `Name: value` a line; read again for every request.')
      .meta({ examples: ['otlp-headers.txt'] }),
    sample: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Share of traces that is kept. Absent: as `OTEL_TRACES_SAMPLER` says, and all where that says nothing.')
      .meta({ examples: [1] }),
    queries: z.boolean().prefault(true).describe('One span for each query of the database that lists showed.'),
    incidents: z.boolean().prefault(true).describe('One span for each time that a service instance was not online.'),
    cycles: z
      .boolean()
      .prefault(true)
      .describe(
        'One trace for each of our own rounds of reading, with every call. Aborts and notices are traced without them, too.',
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
