import { err, ok, type Result } from '../kernel/result.ts';
import { printable } from './aligned.ts';
import type { Command } from './command.ts';
import { type DaemonApi, daemonFlags } from './daemon-api.ts';
import { guardTable } from './guard-table.ts';
import { readGuard } from './read-guard.ts';
import { withDaemon } from './with-daemon.ts';

const path = '/api/v1/guard';

const guardStatus: Command = {
  name: 'guard status',
  about: 'say whether the guard is paused, what its policies may do, and which breakers are open',
  flags: [{ name: 'json', about: 'print it as JSON' }, ...daemonFlags],
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const answer = await api.call({ method: 'GET', path });
      if (!answer.ok) return answer;
      const report = readGuard(answer.value);
      if (report === undefined) return err('the answer does not tell how the guard stands');
      return ok('json' in given.flags ? `${JSON.stringify(report, undefined, 2)}\n` : guardTable(report));
    }),
};

const guardPause: Command = {
  name: 'guard pause',
  about: 'hold the guard still at once, until it is resumed',
  flags: daemonFlags,
  details: 'It outlives a restart. SIGUSR2 does the same, and so does a file guard.paused in the state directory.',
  run: (given, ports) => withDaemon(given, ports, (api) => post(api, 'pause', 'the guard is paused\n')),
};

const guardResume: Command = {
  name: 'guard resume',
  about: 'let the guard go on',
  flags: daemonFlags,
  details: 'Ends every pause but that of the file guard.paused in the state directory: remove the file.',
  run: (given, ports) => withDaemon(given, ports, (api) => post(api, 'resume', 'the guard goes on\n')),
};

const guardResetBreaker: Command = {
  name: 'guard reset-breaker',
  about: 'close a breaker of the guard that is open',
  flags: daemonFlags,
  argument: { name: 'CLUSTER KEY', required: true, repeated: true },
  details: "KEY is as `guard status` shows it, such as 'no_relief runaway'. What it counts begins anew.",
  run: (given, ports) =>
    withDaemon(given, ports, (api) => {
      const [cluster = '', ...words] = given.arguments;
      const breaker = words.join(' ');
      return post(api, 'breakers/reset', `${printable(breaker)} is closed in ${printable(cluster)}\n`, {
        cluster,
        breaker,
      });
    }),
};

/** What operators do with the guard of a running daemon. */
export const guardCommands: readonly Command[] = [guardStatus, guardPause, guardResume, guardResetBreaker];

async function post(api: DaemonApi, what: string, done: string, body?: unknown): Promise<Result<string, string>> {
  const call = { method: 'POST', path: `${path}/${what}` } as const;
  const answer = await api.call(body === undefined ? call : { ...call, body });
  return answer.ok ? ok(done) : answer;
}
