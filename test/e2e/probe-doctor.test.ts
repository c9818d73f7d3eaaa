import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { requestsOf } from '../../src/cli/doctor-checks.ts';
import { collectors } from '../../src/collect/all.ts';
import type { Collector } from '../../src/collect/collector.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { FaultName } from '../../src/simulator/faults/fault.ts';
import { readExposition } from '../support/exposition.ts';
import type { ExpositionFamily } from '../support/exposition-family.ts';
import { send } from '../support/http.ts';
import { type InMemoryCluster, startInMemoryCluster } from '../support/in-memory-cluster.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { configFile, livePorts } from '../support/live-ports.ts';
import { watchingCollectors } from '../support/watching-collectors.ts';

/** Calls of each collector, as the documents state them; the list of graphs serves several. */
const paths: Readonly<Record<string, RegExp>> = {
  health: /ping$|echo$|version$/,
  metrics: /informant\/metrics$/,
  categories: /informant\/metrics\/get\//,
  services: /current-service-status$/,
  statistics: /\/statistics\//,
  queries: /showprocesslist/,
  delayed_queries: /showdelayedlist/,
  workload_queues: /queuestatus$/,
  license: /showlicenseinfo$/,
  consistency: /_check$/,
  endpoints: /\/endpoints$/,
  schema: /\/schema(?:\/indexes|\/jobs)?$/,
  schema_versions: /\/builtins\//,
  graph_sizes: /\/builtins\//,
  query_definitions: /\/queries\/info$/,
  loading_jobs: /\/loading-jobs\/status$/,
  data_sources: /\/data-sources$/,
  user_functions: /\/(?:udt|library)\//,
  optimizer_statistics: /\/stats\/cardinality$/,
  vector_indexes: /\/vector\/status\//,
  detached_queries: /\/query_status$/,
  statements: /\/v1\/statements\//,
  users: /\/v1\/(users|groups|roles)$/,
  scim: /\/scim\/v2\//,
};

/** How a server stands to the calls of a collector, and the reason that this must come to. */
const modes: readonly (readonly [string, FaultName, string])[] = [
  ['lacks', 'status_404', 'unsupported'],
  ['refuses', 'status_403', 'auth'],
];

/** A simulated node that answers the calls of one collector with a fault while a test enables it, and all others normally. */
let cluster: InMemoryCluster;
let settings: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  cluster = await startInMemoryCluster(systemClock, () => 0, { nodes: 1 });
  const nodes = cluster.simulator.nodes.map((node) => ({ name: node.name, url: node.url }));
  const user = { basic: { username: 'monitor', password: 'simulated' } };
  const all = Object.fromEntries(collectors.map((collector) => [collector.name, { enabled: true }]));
  settings = {
    clusters: [{ name: 'c', nodes, read_auth: user, statements: { load: 'load.2' } }],
    collectors: all,
  };
});

afterAll(() => cluster.simulator.close());

/** Answers the calls of a collector with a fault until the end of the test. */
async function breakCalls(name: string, fault: FaultName): Promise<void> {
  const path = paths[name];
  if (path === undefined) throw new Error(`no paths are known for '${name}'`);
  onTestFinished(await cluster.simulator.control.injectFault(fault, { path }));
}

async function probe(name: string, daemon: InProcessDaemon): Promise<ReadonlyMap<string, ExpositionFamily>> {
  const { status, text } = await send(`${daemon.url}/probe?target=c&collector=${name}`);
  expect(status).toBe(200);
  return readExposition(text, 'text');
}

function onlyValue(families: ReadonlyMap<string, ExpositionFamily>, name: string): number | undefined {
  const samples = families.get(name)?.samples ?? [];
  expect(samples).toHaveLength(1);
  return samples[0]?.value;
}

function shownOf({ metrics }: Collector, families: ReadonlyMap<string, ExpositionFamily>): readonly string[] {
  return metrics.map((metric) => metric.name).filter((name) => families.has(name));
}

describe('/probe', () => {
  let daemon: InProcessDaemon;

  beforeAll(async () => {
    daemon = await startInProcessDaemon(settings, { openPool: cluster.openPool, random: { next: () => 0 } });
  });

  afterAll(() => daemon.stop());

  describe.each(watchingCollectors.map((collector) => [collector.name, collector] as const))(
    'of %s',
    (name, collector) => {
      it('succeeds with samples on a server that has everything', async () => {
        const families = await probe(name, daemon);
        expect(onlyValue(families, 'probe_success')).toBe(1);
        expect(shownOf(collector, families)).not.toEqual([]);
      });

      it.each(modes)('fails without samples on a server that %s it', async (_, fault) => {
        await breakCalls(name, fault);
        const families = await probe(name, daemon);
        expect(onlyValue(families, 'probe_success')).toBe(0);
        expect(onlyValue(families, 'probe_collector_success')).toBe(0);
        const up = name === 'health' ? ['graphdb_up', 'graphdb_reachable'] : [];
        expect(shownOf(collector, families)).toEqual(up);
        if (name === 'health') expect(onlyValue(families, 'graphdb_up')).toBe(0);
      });
    },
  );
});

interface Finding {
  readonly collector: string;
  readonly call: string;
  readonly reason: string;
  readonly advice: string;
}

async function doctor(): Promise<{ readonly code: number; readonly findings: readonly Finding[] }> {
  const ports = livePorts({ openPool: cluster.openPool });
  const code = await runCli(['doctor', '--json', '--config', await configFile(settings)], commands, ports);
  return { code, findings: JSON.parse(ports.stdout.text()) };
}

describe('doctor', () => {
  it('reports success for every call of every collector on a complete server', async () => {
    const { code, findings } = await doctor();
    const tried = findings.map(({ collector, call, reason }) => `${collector} ${call} ${reason}`);
    expect(tried).toEqual(
      collectors.flatMap(({ name, calls }) => calls.flatMap(requestsOf).map((call) => `${name} ${call} works`)),
    );
    expect(code).toBe(0);
  });

  describe.each(watchingCollectors.map((collector) => [collector.name, collector] as const))(
    'of %s',
    (name, collector) => {
      it.each(modes)('reports only that the server %s it', async (_, fault, reason) => {
        await breakCalls(name, fault);
        const { code, findings } = await doctor();
        const broken = findings.filter((finding) => finding.reason !== 'works');
        // Collectors that send the same request fail together.
        const sharing = collectors.filter((other) => paths[other.name]?.source === paths[name]?.source);
        const requested = sharing.flatMap(({ name: own, calls }) =>
          calls.flatMap(requestsOf).flatMap((call) => (call === 'graphs' ? [] : [[own, call, reason]])),
        );
        expect(broken.map((finding) => [finding.collector, finding.call, finding.reason])).toEqual(requested);
        expect(code).toBe(1);
        if (reason !== 'auth') return;
        for (const { advice } of broken) expect(advice).toContain(collector.privilege);
      });
    },
  );
});
