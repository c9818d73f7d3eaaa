import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../src/runtime/listener.ts';
import { commit, components } from '../../src/simulator/endpoints/database.ts';
import type { SimulatedAuth, SimulatorOptions } from '../../src/simulator/options.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { FakeClock } from '../support/clock.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { type Prometheus, type ScrapeConfig, startPrometheus, type VectorSample } from '../support/prometheus.ts';
import { findTool } from '../support/tools.ts';
import { watchingCollectors as collectors } from '../support/watching-collectors.ts';
import { capacityLimits, type ExpectedSeries, expectedSeries, unpredictableFamilies } from './expected-series.ts';

interface Kind {
  readonly name: string;
  readonly auth: SimulatedAuth;
  /** The same in the words of the configuration. */
  readonly readAuth: Readonly<Record<string, unknown>>;
}

const kinds: readonly Kind[] = [
  { name: 'none', auth: { kind: 'none' }, readAuth: {} },
  { name: 'bearer', auth: { kind: 'bearer', token: 'a'.repeat(32) }, readAuth: { bearer_token: 'a'.repeat(32) } },
  {
    name: 'basic',
    auth: { kind: 'basic', username: 'monitor', password: 'pass' },
    readAuth: { basic: { username: 'monitor', password: 'pass' } },
  },
  { name: 'secret', auth: { kind: 'secret', secret: 'shared-secret' }, readAuth: { secret: 'shared-secret' } },
];

const cases = ['3.9.3', '4.1.2'].flatMap((version) =>
  ['svc_', 'tigergraph_'].flatMap((prefix) =>
    kinds.map((kind) => ({ name: `${version}-${prefix}-${kind.name}`, version, prefix, kind })),
  ),
);

/** Long enough for an answer on a busy machine. */
const often = { interval: '15s', timeout: '15s' };
const settings = Object.fromEntries(
  collectors.map(({ name }) => [name, name === 'consistency' ? { enabled: true } : often]),
);
const readings = cases.length * (4 * 3 + 5);

/** One daemon, sixteen clusters whose time stands still, one Prometheus. */
describe.skipIf(findTool('prometheus') === undefined)(
  'the series in Prometheus equal the state of the simulator',
  () => {
    const simulators = new Map<string, Simulator>();
    let daemon: InProcessDaemon;
    let prometheus: Prometheus;

    beforeAll(async () => {
      const clock = new FakeClock(Date.now());
      for (const { name, version, prefix, kind } of cases) {
        const options: SimulatorOptions = { version, prefix, auth: kind.auth, scenario: 'runaway_queries' };
        simulators.set(name, await startSimulator(options, { listen, clock }));
      }
      daemon = await startInProcessDaemon({ clusters: cases.map(clusterOf), collectors: settings });
      prometheus = await startPrometheus(scrapeConfigs(daemon.host), '15s');
      await eventually('every collector has read every cluster well', () => allRead(prometheus), 250_000);
    }, 400_000);

    afterAll(async () => {
      await prometheus.stop();
      await daemon.stop();
      for (const simulator of simulators.values()) await simulator.close();
    });

    function clusterOf({ name, kind }: (typeof cases)[number]): Readonly<Record<string, unknown>> {
      const nodes = (simulators.get(name)?.nodes ?? []).map((node) => ({ name: node.name, url: node.url }));
      const auth = kind.name === 'none' ? {} : { read_auth: kind.readAuth };
      return { name, nodes, ...auth };
    }

    const seriesOf = (cluster: string): Promise<readonly VectorSample[]> =>
      prometheus.query(`{__name__!="",cluster_name="${cluster}"}`);

    it.each(cases)('$name: families, series and values', async ({ name, version }) => {
      const truth = simulators.get(name)?.truth();
      if (truth === undefined) throw new Error('no simulator');
      const wanted = [...expectedSeries(truth), ...(version.startsWith('3.') ? [] : capacityLimits(truth))];
      const foreseen = async (): Promise<readonly VectorSample[]> =>
        (await seriesOf(name)).filter(isOfTheServer).filter(isPredictable);
      // On a busy machine a poll is late, and its gauges are absent until the next one.
      const keys = async (): Promise<readonly string[]> => (await foreseen()).map(keyOf).toSorted();
      await expect.poll(keys, { timeout: 100_000, interval: 5_000 }).toEqual(wanted.map(expectedKey).toSorted());
      const byKey = new Map((await foreseen()).map((sample) => [keyOf(sample), sample.value]));
      const wrong = wanted.filter((one) => !isClose(byKey.get(expectedKey(one)) ?? Number.NaN, one.value));
      expect(wrong).toEqual([]);
    });

    it.each(cases)('$name: the versions of each component on each node', async ({ name, version }) => {
      const builds = (await seriesOf(name)).filter(({ labels }) => labels.__name__ === 'graphdb_build_info');
      const shown = builds.map(({ labels }) =>
        [labels.node, labels.component, labels.version, labels.commit].join(' '),
      );
      const wanted = ['m1', 'm2', 'm3'].flatMap((node) =>
        components.map((component) => [node, component, version, commit(component, version)].join(' ')),
      );
      expect([...new Set(shown)].toSorted()).toEqual(wanted.toSorted());
      expect(builds.every(({ value }) => value === 1)).toBe(true);
    });
  },
);

/** The checks run by calendar: they are probed. */
function scrapeConfigs(host: string): readonly ScrapeConfig[] {
  const static_configs = [{ targets: [host] }];
  const probes = cases.map(({ name }) => ({
    job_name: name,
    metrics_path: '/probe',
    params: { target: [name], collector: ['consistency'] },
    static_configs,
  }));
  return [{ job_name: 'warden', static_configs }, ...probes];
}

async function allRead(from: Prometheus): Promise<boolean> {
  const [success] = await from.query('sum(graphwarden_collector_success) + sum(probe_success)');
  if ((success?.value ?? 0) < readings + cases.length) return false;
  // What is compared needs both of its sources, and what is confirmed a second reading.
  const later = await Promise.all(
    ['graphdb_service_status_disagreement', 'graphdb_partition_online_replicas'].map((name) =>
      from.query(`count by (cluster_name) (${name})`),
    ),
  );
  return later.every((clusters) => clusters.length === cases.length);
}

function isPredictable({ labels: { __name__: name = '' } }: VectorSample): boolean {
  return !unpredictableFamilies.includes(name) && name !== 'graphdb_build_info';
}

/** Of the server as it is: no count of ours, and nothing that lists come to only over time. */
function isOfTheServer({ labels: { __name__: name = '' } }: VectorSample): boolean {
  return !name.startsWith('graphwarden_') && !name.startsWith('graphdb_long_query_duration_seconds');
}

function keyOf({ labels }: VectorSample): string {
  const { __name__, job: _job, instance: _instance, cluster_name: _cluster, ...own } = labels;
  return expectedKey({ name: __name__ ?? '', labels: own });
}

/** Prometheus keeps no empty label. */
function expectedKey({ name, labels }: Pick<ExpectedSeries, 'name' | 'labels'>): string {
  const filled = Object.entries(labels).filter(([, value]) => value !== '');
  return `${name} ${filled
    .map(([label, value]) => `${label}=${value}`)
    .toSorted()
    .join(' ')}`;
}

/** Numbers were written as text twice on their way. */
function isClose(held: number, wanted: number): boolean {
  return Math.abs(held - wanted) <= Math.abs(wanted) * 1e-6;
}
