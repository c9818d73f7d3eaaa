import type { AppPorts } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import type { AdjustableLog } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';
import { spanRoute } from '../trace/span-route.ts';
import type { CliPorts, World } from './ports.ts';

/** What the application is given to trace with; nothing where tracing is off. */
export type TracingPorts = Pick<AppPorts, 'spanExports' | 'spans'>;

/** A way out for spans that may be none. */
interface OpenTracing {
  readonly ports: TracingPorts;
  readonly close: () => Promise<void>;
}

const off: OpenTracing = { ports: {}, close: async () => undefined };

/** How long the end waits for spans that are still to be sent. */
const lastSpansWithin: Millis = 1500;

/** Opens the way out for spans where the configuration or the environment names an endpoint. */
export async function openTracing(
  { config, log: { log } }: { readonly config: Config; readonly log: AdjustableLog },
  ports: CliPorts,
  world: Pick<World, 'openSpans'>,
): Promise<OpenTracing> {
  const route = spanRoute(config.tracing, ports.environment);
  if (route === undefined) return off;
  const url = shownUrl(route.url);
  if (url === undefined) {
    log.warn('nothing is traced, since the environment names no http address to send spans to');
    return off;
  }
  const { clock, files, build } = ports;
  const spanExports = await world.openSpans(route, { clock, files, build, log });
  log.info('tracing', { url });
  return {
    ports: { spanExports, spans: spanExports },
    close: () => spanExports.close(lastSpansWithin),
  };
}

/** An address from the environment may hold a password, or a key among its parameters. */
function shownUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null || !/^https?:$/.test(url.protocol) ? undefined : url.origin + url.pathname;
}
