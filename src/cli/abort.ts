import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { type Command, type ExitCode, exitCode, type Given, WrongUse } from './command.ts';
import { type DaemonApi, daemonFlags, openDaemonApi } from './daemon-api.ts';
import type { CliPorts } from './ports.ts';
import { type AbortWords, readAbort } from './read-guard.ts';

/** A list may take ten seconds to come, and an outcome thirty-five to be known. */
const patience: Millis = 60_000;

type Outcome = NonNullable<AbortWords['outcome']>;

/** What an outcome means for who wants to be rid of a query, and whether that is so. */
const outcomes: Readonly<Record<Outcome, { readonly words: string; readonly isGone: boolean }>> = {
  confirmed: { words: 'the abort was sent, and the query is gone', isGone: true },
  vanished: { words: 'the abort was sent, its answer was lost, and the query is gone', isGone: true },
  finished_first: { words: 'the abort was sent, but the query had ended before it', isGone: true },
  still_running: { words: 'the abort was sent, but the query still runs', isGone: false },
  not_aborted: { words: 'the abort was sent, but the server aborted nothing: the query still runs', isGone: false },
  unknown: {
    words: 'the abort was sent, but whether the query is gone is not known: its node gives no list',
    isGone: false,
  },
  refused: { words: 'the abort was sent, but the server refused it', isGone: false },
  withdrawn: { words: 'the abort was not sent: something spoke against it at the last moment', isGone: false },
};

/** For an operator who knows that one query has to go, whatever policies say. */
export const abort: Command = {
  name: 'abort',
  about: 'abort one running query by hand',
  flags: [
    { name: 'reason', value: 'TEXT', about: 'why, for the audit' },
    { name: 'while-paused', about: 'do it although the guard is paused' },
    { name: 'json', about: 'print the abort as JSON' },
    ...daemonFlags,
  ],
  argument: { name: 'CLUSTER/NODE ID', required: true },
  details:
    'ID is as `queries` shows it. It goes past policies, modes, budgets, breakers and protection; the query is listed\n' +
    'once more right before, and verified to be gone after, which takes up to three quarters of a minute.',
  run: async (given, ports) => {
    const call = callOf(given);
    const api = await openDaemonApi(given, ports);
    if (!api.ok) return fail(api.error, ports);
    if (ports.stderr.terminal) ports.stderr.write('asking for the abort; the outcome may take a while\n');
    const done = await ask(api.value, call);
    await api.value.close();
    return done.ok ? tell(done.value, given, ports) : fail(done.error, ports);
  },
};

function callOf({ flags, arguments: [place = '', id = ''] }: Given): { readonly path: string; readonly body: unknown } {
  const [cluster = '', node = '', ...rest] = place.split('/');
  if (cluster === '' || node === '' || rest.length > 0) throw new WrongUse(`'${place}' is not CLUSTER/NODE`);
  if (flags.reason === undefined) throw new WrongUse('--reason is missing');
  const [inCluster, onNode, query] = [cluster, node, id].map(encodeURIComponent);
  return {
    path: `/api/v1/clusters/${inCluster}/nodes/${onNode}/queries/${query}/abort`,
    body: { reason: flags.reason, whilePaused: 'while-paused' in flags },
  };
}

async function ask(api: DaemonApi, call: ReturnType<typeof callOf>): Promise<Result<AbortWords, string>> {
  const answer = await api.call({ method: 'POST', ...call, patience });
  if (!answer.ok) return answer;
  const done = readAbort(answer.value);
  return done === undefined ? err('the answer is no abort: look at `queries` for whether it is gone') : ok(done);
}

function tell(done: AbortWords, { flags }: Given, ports: CliPorts): ExitCode {
  const { outcome } = done;
  const { words, isGone } =
    outcome === null ? { words: 'the abort was sent; its outcome is not known yet', isGone: false } : outcomes[outcome];
  if ('json' in flags) ports.stdout.write(`${JSON.stringify(done, undefined, 2)}\n`);
  else ports.stdout.write(`${words}\n`);
  return isGone ? exitCode.ok : exitCode.failed;
}

function fail(reason: string, { stderr }: CliPorts): ExitCode {
  stderr.write(`graphwarden: ${reason}\n`);
  return exitCode.failed;
}
