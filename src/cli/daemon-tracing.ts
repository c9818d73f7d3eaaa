import type { AppPorts } from '../app/ports/app-ports.ts';
import type { Config } from '../config/config.ts';
import type { AdjustableLog } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';
import { otlpEndpoint } from '../trace/otlp-endpoint.ts';
import type { CliPorts, RuntimePorts } from './ports.ts';

/** Ports for tracing; empty if tracing is off. */
export type TracingPorts = Pick<AppPorts, 'spanExports' | 'spans'>;

/** Span exporter, which may be absent. */
interface TracingHandle {
  readonly ports: TracingPorts;
  readonly close: () => Promise<void>;
}

const tracingDisabled: TracingHandle = { ports: {}, close: async () => undefined };

/** Maximum time for sending the remaining spans at shutdown. */
const spanFlushTimeout: Millis = 1500;

/** Opens the span exporter if the configuration or the environment names an endpoint. */
export async function openTracing(
  { config, log: { log } }: { readonly config: Config; readonly log: AdjustableLog },
  ports: CliPorts,
  world: Pick<RuntimePorts, 'openSpans'>,
): Promise<TracingHandle> {
  const route = otlpEndpoint(config.telemetry.traces, ports.environment);
  if (route === undefined) return tracingDisabled;
  const url = redactedUrl(route.url);
  if (url === undefined) {
    log.warn('tracing disabled: endpoint of the environment is not an http URL');
    return tracingDisabled;
  }
  const { clock, files, build } = ports;
  const spanExports = await world.openSpans(route, { clock, files, build, log });
  log.info('tracing enabled', { url });
  return {
    ports: { spanExports, spans: spanExports },
    close: () => spanExports.close(spanFlushTimeout),
  };
}

/** URL without credentials and parameters; undefined if it is not an http URL. */
function redactedUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null || !/^https?:$/.test(url.protocol) ? undefined : url.origin + url.pathname;
}
