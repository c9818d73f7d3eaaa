import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { probeCollector } from '../../src/collect/probes/probe-collector.ts';
import { probesSection } from '../../src/collect/probes/settings.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import { clusterSection } from '../../src/graphdb/settings.ts';
import type { ProbeReply } from '../../src/model/probe.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { listen } from '../../src/runtime/listener.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { forkWithProbe } from './candidate.ts';
import { quantile } from './quantile.ts';
import { RawHttpConnection } from './raw-http.ts';
import { table } from './table.ts';

/** Duration of a run, and its CPU time in the main thread, which other processes do not affect; in ms. */
interface RunTime {
  readonly wall: number;
  readonly cpu: number;
}

/** Overhead of a probe compared to its call, and precision of the write heartbeat. */
export interface ProbesResult {
  /** Runs of the call over a raw connection, and of the whole probe, in turns. */
  readonly bare: readonly RunTime[];
  readonly probes: readonly RunTime[];
  /** Measured minus true time until the row is visible on a node, in ms, for each node and heartbeat. */
  readonly errors: readonly number[];
}

const account = { type: 'Account', id: 'a-31337' };
const vertexPath = '/restpp/graph/fraud/vertices/Account/a-31337?timeout=5';
const [vertexProbe] = probesSection.parse([
  {
    name: 'one',
    graph: 'fraud',
    timeout: '5s',
    vertex: account,
    assert: {
      max_latency: '5s',
      count: { min: 1 },
      values: [{ path: '0.v_type', equals: 'Account' }],
      age: { path: '0.attributes.updated_at', max: '1h' },
    },
  },
]);

/** Number of runs until the code is compiled and the connections are open. */
const warmUpRuns = 200;
const nodes = 3;
const shares = [0.5, 0.99] as const;
/** Longest delay of a row on a node. */
const longestDelay = 300;
/** Runs of the probe for each heartbeat. */
const runsPerHeartbeat = 10;
const heartbeat = { graph: 'fraud', timeout: 5000, task: { kind: 'write_heartbeat' } } as const;
const startMessage = z.object({ clusters: z.array(z.array(z.string())) });

/** Runs a probe `runs` times in turns with its bare call, then a tenth as many heartbeats. */
export async function runProbes(runs: number): Promise<ProbesResult> {
  return { ...(await measureOverhead(runs)), errors: await measureVisibility(Math.ceil(runs / runsPerHeartbeat)) };
}

/** Measures the call and the probe. The simulated server is a separate process, so that it does not delay either of them. */
async function measureOverhead(runs: number): Promise<Pick<ProbesResult, 'bare' | 'probes'>> {
  const server = forkWithProbe(join(import.meta.dirname, 'simulated.ts'), ['1']);
  const [message] = await once(server.child, 'message');
  const url = startMessage.parse(message).clusters[0]?.[0] ?? '';
  server.pauseProbe();
  const cluster = openNodes([url]);
  const raw = new RawHttpConnection(url + vertexPath);
  const collector = probeCollector(vertexProbe ?? fail('no probe'));
  const db = cluster.nodes[0] ?? fail('no node');
  const bareCall = async (): Promise<void> => {
    await raw.request({});
    if (raw.responseBytes().status !== 200) fail('the server refuses the bare call');
  };
  const probe = async (): Promise<void> => {
    const outcome = await collector.poll(db, new AbortController().signal);
    const failed = outcome.ok ? collector.probeRun?.(outcome.value).failure : outcome.error;
    if (failed !== undefined) fail(`the probe fails: ${failed.message}`);
  };
  const bare: RunTime[] = [];
  const probes: RunTime[] = [];
  for (let run = -warmUpRuns; run < runs; run += 1) {
    const times =
      run % 2 === 0 ? [await timeOf(bareCall), await timeOf(probe)] : [await timeOf(probe), await timeOf(bareCall)];
    if (run < 0) continue;
    const [first = fail('no run'), second = fail('no run')] = times;
    bare.push(run % 2 === 0 ? first : second);
    probes.push(run % 2 === 0 ? second : first);
  }
  raw.close();
  await cluster.close();
  await server.stop();
  return { bare, probes };
}

/** Returns the errors of the heartbeat. The true time is the delay after which each simulated node returns a loaded row. */
async function measureVisibility(heartbeats: number): Promise<readonly number[]> {
  const simulator = await startSimulator({ nodes }, { listen, clock: systemClock });
  const cluster = openNodes(simulator.nodes.map(({ url }) => url));
  const writer = cluster.nodes[0] ?? fail('no node');
  const errors: number[] = [];
  for (let run = -1; run < heartbeats; run += 1) {
    const delays = Array.from({ length: nodes }, (_, node) => ((run + 1) * 37 + node * 101) % longestDelay);
    for (const [at, delay] of delays.entries()) simulator.control.delayRows(`m${at + 1}`, delay);
    const { visibility }: ProbeReply = await writer.probe(heartbeat, new AbortController().signal);
    if (run < 0) continue;
    errors.push(...visibility.map(({ after = Number.NaN }, at) => after - (delays[at] ?? Number.NaN)));
  }
  await cluster.close();
  await simulator.close();
  return errors;
}

function openNodes(urls: readonly string[]) {
  const settings = clusterSection.parse({
    name: 'bench',
    nodes: urls.map((url, at) => ({ name: `m${at + 1}`, url })),
    graphs: ['fraud'],
    server_version: '4.1',
  });
  const ports = { ...systemPorts, clock: systemClock, files: systemFiles };
  const cluster = openCluster(settings, { bodyLimit: 1_048_576 }, ports);
  return { nodes: settings.nodes.map((node) => cluster.node(node).db), close: () => cluster.close() };
}

async function timeOf(work: () => Promise<void>): Promise<RunTime> {
  const started = performance.now();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return { wall: performance.now() - started, cpu: (user + system) / 1000 };
}

function fail(reason: string): never {
  throw new Error(reason);
}

/** The tables of `docs/performance.md`; the overhead is the difference between two rows of the same run. */
export function probesTables({ bare, probes, errors }: ProbesResult): string {
  const [call, probe] = [bare, probes].map((runs) => [
    ...shares.map((part) =>
      quantile(
        runs.map(({ wall }) => wall),
        part,
      ),
    ),
    ...shares.map((part) =>
      quantile(
        runs.map(({ cpu }) => cpu),
        part,
      ),
    ),
  ]);
  const overhead = probe?.map((value, at) => value - (call?.[at] ?? Number.NaN)) ?? [];
  const cost = table(
    [`${bare.length} runs`, 'p50 ms', 'p99 ms', 'CPU p50 ms', 'CPU p99 ms'],
    [row('bare call', call ?? []), row('probe', probe ?? []), row('overhead', overhead)],
  );
  const error = [...shares, 1].map((part) => quantile(errors, part).toFixed(1)).join(' / ');
  const visible = table(
    ['visibility on a node', 'measured less true ms: median / p99 / worst'],
    [[String(errors.length), error]],
  );
  return `${cost}\n\n${visible}`;
}

function row(name: string, values: readonly number[]): readonly string[] {
  return [name, ...values.map((value) => value.toFixed(2))];
}
