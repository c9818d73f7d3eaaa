import { withDeadline } from '../../kernel/deadline.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { HttpReply, TlsMaterial } from '../../kernel/http.ts';
import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Command, exitCode } from '../command.ts';
import { daemonTls, daemonUrl, tlsFlags, urlFlag } from '../daemon-url.ts';
import type { CliPorts } from '../ports.ts';
import { printError } from '../print.ts';

const timeout: Millis = 3_000;
const maxResponseBytes = 64 * 1024;

/** Health check for containers. */
export const healthcheck: Command = {
  flags: [urlFlag, ...tlsFlags],
  details: 'TLS certificates rarely include the loopback address; use --insecure to skip their verification.',
  examples: ['healthcheck', 'healthcheck --url https://127.0.0.1:9916 --insecure'],
  run: async (given, ports) => {
    const url = daemonUrl(given, ports);
    const tls = await daemonTls(given, ports);
    if (!tls.ok) return printError(tls.error, ports);
    const answer = await requestHealth(url, tls.value, ports);
    const problem = answer.ok ? statusError(answer.value) : `${url.origin}: ${answer.error.message}`;
    return problem === undefined ? exitCode.ok : printError(`not healthy: ${problem}`, ports);
  },
};

async function requestHealth(
  url: URL,
  tls: { readonly tls?: TlsMaterial },
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
