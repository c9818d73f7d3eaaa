import type { Failure } from '../kernel/failure.ts';
import type { HttpReply } from '../kernel/http.ts';
import type { Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { type Command, exitCode, type Given, WrongUse } from './command.ts';
import { withDeadline } from './deadline.ts';
import type { CliPorts } from './ports.ts';

const defaultUrl = 'http://127.0.0.1:9916';
const timeout: Millis = 3_000;
const largestAnswer = 64 * 1024;

/** For the health checks of containers: is the daemon serving. */
export const healthcheck: Command = {
  name: 'healthcheck',
  about: 'ask a running daemon whether it serves',
  flags: [
    { name: 'url', value: 'URL', about: `where it listens, with its route prefix (${defaultUrl})` },
    { name: 'insecure', about: 'accept any certificate: on loopback its name rarely fits' },
  ],
  run: async (given, ports) => {
    const url = target(given);
    const answer = await ask(url, 'insecure' in given.flags, ports);
    const trouble = answer.ok ? statusTrouble(answer.value) : `${url.origin}: ${answer.error.message}`;
    if (trouble === undefined) return exitCode.ok;
    ports.stderr.write(`graphwarden: not healthy: ${trouble}\n`);
    return exitCode.failed;
  },
};

function target({ flags }: Given): URL {
  const url = URL.parse(flags.url ?? defaultUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new WrongUse('--url wants http://HOST:PORT or https://…');
  return url;
}

async function ask(url: URL, insecure: boolean, ports: CliPorts): Promise<Result<HttpReply, Failure>> {
  const { openPool } = await ports.world();
  const pool = openPool({ origin: url.origin, sockets: 1, ...(insecure ? { tls: { insecureSkipVerify: true } } : {}) });
  const path = `${url.pathname.replace(/\/+$/, '')}/-/healthy`;
  const request = { method: 'GET', path, headers: {}, maxBytes: largestAnswer } as const;
  const answer = await withDeadline(ports.clock, timeout, (signal) => pool.request(request, signal));
  await pool.close();
  return answer;
}

function statusTrouble({ status }: HttpReply): string | undefined {
  return status === 200 ? undefined : `it answered with status ${status}`;
}
