import type { AppPorts } from '../app/ports/app-ports.ts';
import type { Config } from '../config/config.ts';
import type { AdjustableLog, Logger } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';
import type { OtlpEndpoint } from '../model/span.ts';
import { otlpUrl, type Signal } from '../trace/otlp-endpoint.ts';
import type { TelemetrySettings } from '../trace/telemetry-section.ts';
import type { CliPorts, RuntimePorts } from './ports.ts';

/** Exporters for the application; empty if nothing is exported. */
export type TelemetryPorts = Pick<AppPorts, 'spanExports' | 'spans' | 'metricExports'>;

/** The exporters, of which each may be absent. */
interface TelemetryHandle {
  readonly ports: TelemetryPorts;
  readonly close: () => Promise<void>;
}

/** Maximum time for sending the remaining data at shutdown. */
const flushTimeout: Millis = 1500;

/** Opens the exporters of the signals for which the configuration or the environment names an endpoint. */
export async function openTelemetry(
  { config, log: { log } }: { readonly config: Config; readonly log: AdjustableLog },
  { clock, files, build, environment }: CliPorts,
  runtime: Pick<RuntimePorts, 'openSpans' | 'openMetrics'>,
): Promise<TelemetryHandle> {
  const { traces, metrics } = config.telemetry;
  const [tracesTo, metricsTo] = [
    endpointOf('traces', traces, environment, log),
    endpointOf('metrics', metrics, environment, log),
  ];
  const ports = { clock, files, build, log };
  const { sample } = traces;
  const { interval } = metrics;
  const spans =
    tracesTo && (await runtime.openSpans({ ...tracesTo, ...(sample === undefined ? {} : { sample }) }, ports));
  const metricExports =
    metricsTo && (await runtime.openMetrics({ ...metricsTo, ...(interval === undefined ? {} : { interval }) }, ports));
  return {
    ports: { ...(spans && { spanExports: spans, spans }), ...(metricExports && { metricExports }) },
    close: async () => void (await Promise.all([spans?.close(flushTimeout), metricExports?.close(flushTimeout)])),
  };
}

/** Returns the endpoint of a signal, and logs it; undefined if the signal is not exported. */
function endpointOf(
  signal: Signal,
  { endpoint, headersFile }: TelemetrySettings[Signal],
  environment: CliPorts['environment'],
  log: Logger,
): OtlpEndpoint | undefined {
  const url = otlpUrl(signal, endpoint, environment);
  if (url === undefined) return undefined;
  const shown = redactedUrl(url);
  if (shown === undefined) {
    log.warn('telemetry export disabled', { signal, error: 'the endpoint in the environment is not an http URL' });
    return undefined;
  }
  log.info('telemetry export enabled', { signal, url: shown });
  return { url, ...(headersFile === undefined ? {} : { headersFile }) };
}

/** URL without credentials and parameters; undefined if it is not an http URL. */
function redactedUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null || !/^https?:$/.test(url.protocol) ? undefined : url.origin + url.pathname;
}
