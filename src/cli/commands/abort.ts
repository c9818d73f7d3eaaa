import { type AbortReport, abortSchema } from '../../api/guard.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Command, type CommandInput, type ExitCode, exitCode, UsageError } from '../command.ts';
import { daemonFlags, fetchResponse, openDaemonApi } from '../daemon-api.ts';
import { queryPath } from '../guard-actions.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson, printError } from '../print.ts';

/** A process list takes up to 10 s, and the verification of an abort up to 35 s. */
const timeout: Millis = 60_000;

type AbortOutcome = NonNullable<AbortReport['outcome']>;

/** Message for each outcome, and whether the query ended. */
const outcomeMessages: Readonly<Record<AbortOutcome, { readonly text: string; readonly hasEnded: boolean }>> = {
  confirmed: { text: 'query aborted', hasEnded: true },
  vanished: { text: 'query ended after the abort request; the response to the request was lost', hasEnded: true },
  finished_first: { text: 'query had ended before the abort request', hasEnded: true },
  still_running: { text: 'query still running after the abort request', hasEnded: false },
  not_aborted: { text: 'query still running: the server aborted no query', hasEnded: false },
  unknown: { text: 'abort request sent, result unknown: the node returns no process list', hasEnded: false },
  refused: { text: 'abort request rejected by the server', hasEnded: false },
  not_sent: { text: 'abort request not sent: try again; the budgets are unchanged', hasEnded: false },
  withdrawn: { text: 'abort request not sent: the last check before the request failed', hasEnded: false },
};

/** Aborts one query on request of an operator. */
export const abort: Command = {
  flags: [
    { name: 'reason', value: 'TEXT', about: 'reason, stored in the audit (required)' },
    { name: 'graph', value: 'NAME', about: 'graph of an interpreted query' },
    { name: 'while-paused', about: 'abort even if the guard is paused' },
    { name: 'json', about: 'print the result as JSON' },
    ...daemonFlags,
  ],
  arguments: ['<CLUSTER/NODE>', '<ID>'],
  details:
    'ID is the id that `queries` prints. A manual abort overrides policies, modes, budgets, circuit breakers and ' +
    'protection. Process lists do not name the graph of an interpreted query: name it with --graph. The command ' +
    'waits until the query has ended, for 45 s at most. Exit code 1 if the query has not ended.',
  examples: ['abort prod/m2 65687.RESTPP_1_2.1795271976309.N --reason slow'],
  run: async (given, ports) => {
    const call = abortRequest(given);
    const api = await openDaemonApi(given, ports);
    if (!api.ok) return printError(api.error, ports);
    if (ports.stderr.isTerminal) ports.stderr.write('waiting for the result of the abort\n');
    const done = await fetchResponse(api.value, { method: 'POST', ...call, timeout }, abortSchema);
    await api.value.close();
    return done.ok ? printOutcome(done.value, given, ports) : printError(done.error, ports);
  },
};

function abortRequest({ flags, arguments: [target = '', id = ''] }: CommandInput): {
  readonly path: string;
  readonly body: unknown;
} {
  const path = queryPath(target, id);
  if (flags.reason === undefined) throw new UsageError('required option --reason TEXT not specified');
  return {
    path: `${path}/abort`,
    body: {
      reason: flags.reason,
      whilePaused: 'while-paused' in flags,
      ...(flags.graph === undefined ? {} : { graph: flags.graph }),
    },
  };
}

function printOutcome(done: AbortReport, { flags }: CommandInput, { stdout }: CliPorts): ExitCode {
  const { text, hasEnded } =
    done.outcome === null
      ? { text: 'abort request sent, result not known yet', hasEnded: false }
      : outcomeMessages[done.outcome];
  stdout.write('json' in flags ? formatJson(done) : `${text}\n`);
  return hasEnded ? exitCode.ok : exitCode.failed;
}
