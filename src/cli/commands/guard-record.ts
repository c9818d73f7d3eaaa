import type { Config } from '../../config/config.ts';
import { withDeadline } from '../../kernel/deadline.ts';
import { formatDuration, parseDuration } from '../../kernel/duration.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import type { ClusterSettings, NodeSettings } from '../../model/settings.ts';
import { type Command, type CommandInput, type ExitCode, exitCode, UsageError } from '../command.ts';
import { configFlag, selectCluster, withConfig } from '../config-option.ts';
import type { CliPorts, RuntimePorts } from '../ports.ts';
import { printError } from '../print.ts';
import { listenForStop, type StopSignals } from '../signals.ts';

/** Records the process lists of a cluster for `guard replay`. */
export const guardRecord: Command = {
  flags: [
    configFlag,
    { name: 'out', value: 'RECORDING', about: 'file to write, readable by its owner only (required)' },
    { name: 'cluster', value: 'NAME', about: 'cluster to record; required if several are configured' },
    { name: 'for', value: 'DURATION', about: 'length of the recording, such as 1h (default: until Ctrl-C)' },
    { name: 'force', about: 'overwrite an existing file' },
  ],
  details:
    'Requests the process list of each node as often as the collector `queries` does, with or without a daemon, and aborts ' +
    'nothing. A recording contains no parameters, only whether each condition on parameters in the configured policies is ' +
    'true. Conditions that a replay must evaluate have to be in the configuration when you record.',
  examples: ['guard record --config graphwarden.yml --out mon.jsonl --for 1h'],
  run: async (given, ports) => {
    // Installed first: a signal that arrives while the rest is loading must not be lost.
    const stop = listenForStop(ports.signals);
    try {
      const options = parseOptions(given);
      return await withConfig(given, ports, (config) => runRecording({ options, config }, ports, stop));
    } finally {
      stop.release();
    }
  },
};

interface RecordOptions {
  readonly out: string;
  readonly cluster: string | undefined;
  readonly duration: Millis | undefined;
  readonly replace: boolean;
}

function parseOptions({ flags }: CommandInput): RecordOptions {
  if (flags.out === undefined) throw new UsageError('required option --out RECORDING not specified');
  const length = flags.for === undefined ? undefined : parseDuration(flags.for);
  if (length !== undefined && (!length.ok || length.value === 0)) {
    throw new UsageError('--for must be a duration such as 1h');
  }
  return { out: flags.out, cluster: flags.cluster, duration: length?.value, replace: 'force' in flags };
}

interface RecordTask {
  readonly options: RecordOptions;
  readonly config: Config;
}

async function runRecording({ options, config }: RecordTask, ports: CliPorts, stop: StopSignals): Promise<ExitCode> {
  const cluster = selectCluster(config, options.cluster);
  const runtime = await ports.loadRuntime();
  const nodes = await resolveNodes(cluster, runtime);
  if (!nodes.ok) return printError(nodes.error, ports);
  return writeRecording({ options, config, cluster, nodes: nodes.value }, ports, runtime, stop);
}

interface RecordContext extends RecordTask {
  readonly cluster: ClusterSettings;
  readonly nodes: readonly NodeSettings[];
}

async function writeRecording(
  target: RecordContext,
  ports: CliPorts,
  runtime: RuntimePorts,
  stop: StopSignals,
): Promise<ExitCode> {
  const { out, duration, replace } = target.options;
  const writer = await runtime.lineFiles.create(out, { replace });
  if (!writer.ok) return printError(replace ? writer.error : `${writer.error}; use --force to overwrite it`, ports);
  const { recordProcessLists } = await import('../process-list-recording.ts');
  const startedAt = ports.clock.now().mono;
  ports.stderr.write(`recording ${target.cluster.name} to ${out}${duration === undefined ? ' until Ctrl-C' : ''}\n`);
  const task = { ...target, writer: writer.value };
  const record = (signal: AbortSignal): ReturnType<typeof recordProcessLists> =>
    recordProcessLists(task, ports, runtime, signal);
  const recording =
    duration === undefined ? record(stop.requested) : withDeadline(ports.clock, duration, record, stop.requested);
  const { lists, failed, error } = await recording;
  const closed = await writer.value.close();
  if (error !== undefined || !closed.ok) return printError(error ?? (closed.ok ? '' : closed.error), ports);
  const lasted = formatDuration(Math.round((ports.clock.now().mono - startedAt) / 1000) * 1000);
  ports.stdout.write(`${out}: ${pluralize(lists, 'list')} in ${lasted}, ${failed} failed\n`);
  return lists > 0
    ? exitCode.ok
    : printError('no node returned a process list; run `graphwarden doctor` to find the cause', ports);
}

async function resolveNodes(
  { nodes, discover }: ClusterSettings,
  { dns }: RuntimePorts,
): Promise<Result<readonly NodeSettings[], string>> {
  if (discover === undefined) return nodes.length === 0 ? err('the cluster has no nodes') : ok(nodes);
  return (await import('../../app/poll/discovery.ts')).lookUp(discover, dns);
}

function pluralize(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
