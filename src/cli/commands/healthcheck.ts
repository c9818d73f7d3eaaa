import { withDeadline } from '../../kernel/deadline.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { HttpReply } from '../../kernel/http.ts';
import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Command, exitCode } from '../command.ts';
import { daemonUrl, urlFlag } from '../daemon-url.ts';
import type { CliPorts } from '../ports.ts';
import { printError } from '../print.ts';

const timeout: Millis = 3_000;
const maxResponseBytes = 64 * 1024;

/** Health check for containers. */
export const healthcheck: Command = {
  flags: [
    urlFlag,
    { name: 'insecure', about: 'do not verify the TLS certificate, which rarely names the loopback address' },
  ],
  examples: ['healthcheck', 'healthcheck --url https://127.0.0.1:9916 --insecure'],
  run: async (given, ports) => {
    const url = daemonUrl(given, ports);
    const answer = await requestHealth(url, 'insecure' in given.flags, ports);
    const problem = answer.ok ? statusError(answer.value) : `${url.origin}: ${answer.error.message}`;
    return problem === undefined ? exitCode.ok : printError(`not healthy: ${problem}`, ports);
  },
};

async function requestHealth(url: URL, insecure: boolean, ports: CliPorts): Promise<Result<HttpReply, Failure>> {
  const { openPool } = await ports.loadRuntime();
  const pool = openPool({ origin: url.origin, sockets: 1, ...(insecure ? { tls: { insecureSkipVerify: true } } : {}) });
  const path = `${url.pathname.replace(/\/+$/, '')}/-/healthy`;
  const request = { method: 'GET', path, headers: {}, maxBytes: maxResponseBytes } as const;
  const answer = await withDeadline(ports.clock, timeout, (signal) => pool.request(request, signal));
  await pool.close();
  return answer;
}

function statusError({ status }: HttpReply): string | undefined {
  return status === 200 ? undefined : `unexpected status ${status}`;
}
