import type { Config } from '../config/config.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { type Command, type ExitCode, exitCode, type Given, WrongUse } from './command.ts';
import type { CliPorts, World } from './ports.ts';
import { type StopRequest, stopRequest } from './stop-request.ts';

/** Keeps for later what runs now, so that policies can be tried on it. */
export const guardRecord: Command = {
  name: 'guard record',
  about: 'record what runs in a cluster, without what users asked for, to try policies on',
  flags: [
    { name: 'config', value: 'FILE', about: 'the configuration; GRAPHWARDEN_CONFIG says the same' },
    { name: 'out', value: 'RECORDING', about: 'the file to write; its owner alone can read it' },
    { name: 'cluster', value: 'NAME', about: 'which cluster, where several are configured' },
    { name: 'for', value: 'TIME', about: 'how long, such as 1h; else until Ctrl-C' },
    { name: 'force', about: 'replace the file if it is there' },
  ],
  details:
    'Asks each node for its list as often as the collector queries does, beside a daemon or without one, and aborts\n' +
    'nothing. Parameters are not kept: of each clause on them in the policies of the configuration, only whether it is\n' +
    'true. So clauses that a replay shall judge have to be in the configuration when the recording is made.',
  run: async (given, ports) => {
    // First of all: a signal that comes while the rest is loading must not be lost.
    const stop = stopRequest(ports.signals);
    try {
      return await record(wishesOf(given, ports), ports, stop);
    } finally {
      stop.release();
    }
  },
};

interface Wishes {
  readonly config: string;
  readonly out: string;
  readonly cluster: string | undefined;
  readonly length: Millis | undefined;
  readonly replace: boolean;
}

function wishesOf({ flags }: Given, { environment }: CliPorts): Wishes {
  const config = flags.config ?? environment.GRAPHWARDEN_CONFIG ?? '';
  if (config === '') throw new WrongUse('--config FILE is missing');
  if (flags.out === undefined) throw new WrongUse('--out RECORDING is missing');
  const length = flags.for === undefined ? undefined : parseDuration(flags.for);
  if (length !== undefined && (!length.ok || length.value === 0)) throw new WrongUse('--for wants a time such as 1h');
  return { config, out: flags.out, cluster: flags.cluster, length: length?.value, replace: 'force' in flags };
}

async function record(wishes: Wishes, ports: CliPorts, stop: StopRequest): Promise<ExitCode> {
  const { readConfigOrSay } = await import('./read-config.ts');
  const config = await readConfigOrSay(wishes.config, ports);
  if (!config.ok) {
    ports.stderr.write(config.error);
    return exitCode.usage;
  }
  const cluster = clusterOf(config.value, wishes.cluster);
  const world = await ports.world();
  const nodes = await nodesOf(cluster, world);
  if (!nodes.ok) return failed(nodes.error, ports);
  return write({ wishes, config: config.value, cluster, nodes: nodes.value }, ports, world, stop);
}

interface Scene {
  readonly wishes: Wishes;
  readonly config: Config;
  readonly cluster: ClusterSettings;
  readonly nodes: readonly NodeSettings[];
}

async function write(scene: Scene, ports: CliPorts, world: World, stop: StopRequest): Promise<ExitCode> {
  const { out, length, replace } = scene.wishes;
  const writer = await world.lineFiles.create(out, { replace });
  if (!writer.ok) return failed(replace ? writer.error : `${writer.error}; --force replaces a file`, ports);
  const { recordLists } = await import('./record-lists.ts');
  const begun = ports.clock.now().mono;
  ports.stderr.write(`recording ${scene.cluster.name} into ${out}${length === undefined ? ', until Ctrl-C' : ''}\n`);
  const over = new AbortController();
  if (length !== undefined) void ports.clock.sleep(length, stop.asked).then(() => over.abort());
  const ended = AbortSignal.any([stop.asked, over.signal]);
  const { lists, failed: missed, trouble } = await recordLists({ ...scene, writer: writer.value }, ports, world, ended);
  const closed = await writer.value.close();
  if (trouble !== undefined || !closed.ok) return failed(trouble ?? (closed.ok ? '' : closed.error), ports);
  const lasted = formatDuration(Math.round((ports.clock.now().mono - begun) / 1000) * 1000);
  ports.stdout.write(`${out}: ${counted(lists, 'list')} in ${lasted}, ${missed} failed\n`);
  return lists > 0 ? exitCode.ok : failed('no node gave a list', ports);
}

function clusterOf({ clusters }: Config, name: string | undefined): ClusterSettings {
  const names = clusters.map((cluster) => cluster.name).join(', ');
  const [first, second] = name === undefined ? clusters : clusters.filter((cluster) => cluster.name === name);
  if (first === undefined) throw new WrongUse(`there is no cluster '${name ?? ''}': say ${names}`);
  if (second !== undefined) throw new WrongUse(`--cluster NAME is missing: say one of ${names}`);
  return first;
}

async function nodesOf(
  { nodes, discover }: ClusterSettings,
  { dns }: World,
): Promise<Result<readonly NodeSettings[], string>> {
  if (discover === undefined) return nodes.length === 0 ? err('the cluster has no nodes') : ok(nodes);
  return (await import('../app/discovery.ts')).lookUp(discover, dns);
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function failed(reason: string, { stderr }: CliPorts): ExitCode {
  stderr.write(`graphwarden: ${reason}\n`);
  return exitCode.failed;
}
