import { withDeadline } from '../../kernel/deadline.ts';
import { parseDuration } from '../../kernel/duration.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { HttpReply, TlsMaterial } from '../../kernel/http.ts';
import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Command, type CommandInput, exitCode, UsageError } from '../command.ts';
import { daemonTls, daemonUrl, tlsFlags, urlFlag } from '../daemon-url.ts';
import type { CliPorts } from '../ports.ts';
import { printError } from '../print.ts';

/** Default of --timeout. */
const defaultTimeout: Millis = 3_000;
const maxTimeout: Millis = 3_600_000;
const maxResponseBytes = 64 * 1024;

/** Health check for containers. */
export const healthcheck: Command = {
  flags: [
    urlFlag,
    { name: 'timeout', value: 'DURATION', about: 'how long to wait for the response (default: 3s)' },
    ...tlsFlags,
  ],
  details: 'TLS certificates rarely include the loopback address; use --insecure to skip their verification.',
  examples: ['healthcheck', 'healthcheck --url https://127.0.0.1:9916 --insecure'],
  run: async (given, ports) => {
    const url = daemonUrl(given, ports);
    const tls = await daemonTls(given, ports);
    if (!tls.ok) return printError(tls.error, ports);
    const answer = await requestHealth({ url, tls: tls.value, timeout: timeoutOf(given) }, ports);
    const problem = answer.ok ? statusError(answer.value) : `${url.origin}: ${answer.error.message}`;
    return problem === undefined ? exitCode.ok : printError(`not healthy: ${problem}`, ports);
  },
};

/** A request of the health of a daemon. */
interface HealthRequest {
  readonly url: URL;
  readonly tls: { readonly tls?: TlsMaterial };
  readonly timeout: Millis;
}

function timeoutOf({ flags }: CommandInput): Millis {
  if (flags.timeout === undefined) return defaultTimeout;
  const timeout = parseDuration(flags.timeout);
  if (!timeout.ok || timeout.value === 0 || timeout.value > maxTimeout) {
    throw new UsageError('--timeout must be a duration of at most 1h, such as 30s');
  }
  return timeout.value;
}

async function requestHealth(
  { url, tls, timeout }: HealthRequest,
  ports: CliPorts,
): Promise<Result<HttpReply, Failure>> {
  const { openPool } = await ports.loadRuntime();
  const pool = openPool({ origin: url.origin, sockets: 1, ...tls });
  const path = `${url.pathname.replace(/\/+$/, '')}/-/healthy`;
  const request = { method: 'GET', path, headers: {}, maxBytes: maxResponseBytes } as const;
  const answer = await withDeadline(ports.clock, timeout, (signal) => pool.request(request, signal));
  await pool.close();
  return answer;
}

function statusError({ status }: HttpReply): string | undefined {
  return status === 200 ? undefined : `unexpected status ${status}`;
}
