import { describe, expect, it } from 'vitest';
import type { GroundTruth } from '../../src/simulator/ground-truth.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { readExposition } from '../support/exposition.ts';
import { readJson, send } from '../support/http.ts';
import { type Cluster, withCluster } from './test-world.ts';

const forms: readonly SimulatorOptions[] = [
  { version: '4.1.2' },
  { version: '4.3.0', prefix: 'tigergraph_', nodes: 4, clockSkew: 3_000 },
  { version: '3.9.3', scenario: 'runaway_queries' },
  { scenario: 'queue_storm', maxConcurrentQueries: 8, maxDelayQueueSize: 4 },
];

interface Listed {
  readonly results: readonly { readonly requestid: string; readonly requestidPartial: string; readonly url: string }[];
}

async function comparing(options: SimulatorOptions, compare: (cluster: Cluster, truth: GroundTruth) => Promise<void>) {
  await withCluster(options, async (cluster) => {
    const { control } = cluster.simulator;
    control.setService('GSE', '1', '1', 'Warmup');
    control.setUnsynced('data_consistency', '1', 2);
    await cluster.clock.advance(75_000);
    await compare(cluster, cluster.simulator.truth());
  });
}

function at({ version = '4.1.2' }: SimulatorOptions, path: string): string {
  return version.startsWith('3') ? path.replace('/restpp/', '/') : path;
}

describe.each(forms)('the truth of %o equals', (options) => {
  it('the page of the informant', async () => {
    await comparing(options, async ({ url }, truth) => {
      const families = readExposition((await send(url('/informant/metrics', 1))).text, 'text');
      const samples = [...families.values()].flatMap((family) => family.samples);
      expect(samples.map(({ name, labels, value }) => ({ name, labels, value }))).toEqual(truth.page);
      for (const { hostId, capacity } of truth.hosts) {
        const whole = { labels: { host_id: hostId, service_name: '' }, value: capacity?.cpu };
        expect(truth.page).toContainEqual({ name: `${options.prefix ?? 'svc_'}cpu_usage`, ...whole });
      }
    });
  });

  it('the process lists and delayed lists of each node', async () => {
    await comparing(options, async ({ url }, truth) => {
      for (const [index, node] of truth.nodes.entries()) {
        const running = (await readJson(url(at(options, '/restpp/showprocesslistall'), index))) as Listed;
        expect(running.results.map(({ requestid }) => requestid)).toEqual(
          node.running.map(({ requestId }) => requestId),
        );
        const delayed = (await readJson(url(at(options, '/restpp/showdelayedlistall'), index))) as Listed;
        expect(delayed.results.map((query) => query.url)).toEqual(node.delayed.map((query) => query.url));
        const mine = (await readJson(url(at(options, '/restpp/showprocesslist/fraud'), index))) as Listed;
        expect(mine.results).toHaveLength(node.running.filter(({ graph }) => graph === 'fraud').length);
      }
    });
  });

  it('the statistics of each node and graph', async () => {
    await comparing(options, async ({ url }, truth) => {
      for (const [index, { statistics }] of truth.nodes.entries()) {
        for (const [graph, expected] of Object.entries(statistics)) {
          const path = at(options, `/restpp/statistics/${graph}?seconds=60&segments=100`);
          expect(await readJson(url(path, index))).toEqual(expected);
        }
      }
    });
  });

  it('the statuses of the services', async () => {
    await comparing(options, async ({ url }, truth) => {
      const names = [...new Set(truth.services.map(({ service }) => service))];
      const body = JSON.stringify({ ServiceDescriptors: names.map((ServiceName) => ({ ServiceName })) });
      const answer = await readJson(url('/informant/current-service-status'), { method: 'POST', body });
      expect(answer).toMatchObject({
        ServiceStatusEvents: truth.services.map(({ service, status, process }) => ({
          ServiceDescriptor: { ServiceName: service },
          ServiceStatus: status,
          ProcessState: process,
        })),
      });
      expect(truth.services.find(({ status }) => status === 'Warmup')).toMatchObject({ service: 'GSE', code: 9 });
    });
  });

  it('the workload queues, the license and the checks', async () => {
    await comparing(options, async ({ url }, truth) => {
      const path = at(options, '/restpp/workload-manager/queuestatus');
      const queues = JSON.stringify(await readJson(url(path), { method: 'POST', body: '{"mode":"stats"}' }));
      for (const { engine, queue, running, delayed, runningLimit, delayedLimit } of truth.queues) {
        expect(queues).toContain(`"${engine}":[{`);
        expect(queues).toContain(
          `{"WorkloadQueueName":"${queue}","maxConcurrentQueries":${runningLimit},"maxDelayQueueSize":${delayedLimit},"runningQueries":${running},"delayQueries":${delayed}}`,
        );
      }
      expect(await readJson(url(at(options, '/restpp/showlicenseinfo')))).toMatchObject({
        results: [{ 'Days remaining': truth.license.daysRemaining }],
      });
      const checked = JSON.stringify(await readJson(url(at(options, '/restpp/data_consistency_check'))));
      expect(checked).toContain('"message":"check failed"');
      expect(truth.checks.filter(({ unsynced }) => unsynced > 0)).toMatchObject([{ partition: '1', unsynced: 2 }]);
    });
  });
});

describe('truthOf', () => {
  it('has the nodes that are up, and the times of the measurements', async () => {
    await withCluster({ clockSkew: 9_000 }, async ({ simulator, clock }) => {
      await simulator.control.stopNode('m2');
      await clock.advance(60_000);
      const { nodes, hosts, queues, at: now } = simulator.truth();
      expect(nodes.map(({ node, up }) => [node, up])).toEqual([
        ['m1', true],
        ['m2', false],
        ['m3', true],
      ]);
      expect(hosts[1]).toMatchObject({ hostId: 'm2', capacity: undefined, network: undefined, collectedAt: {} });
      expect(hosts[0]?.collectedAt.network).toBeGreaterThan(now - 60_000 + 9_000);
      expect(new Set(queues.map(({ engine }) => engine))).toEqual(new Set(['GPE_1_1', 'GPE_1_3']));
    });
  });

  it('shows that the page is older than the current state', async () => {
    await withCluster({}, async ({ simulator, clock }) => {
      simulator.control.setService('GPE', '1', '1', 'Down');
      const find = () =>
        simulator.truth().services.find(({ service, replica }) => service === 'GPE' && replica === '1');
      expect(find()).toMatchObject({ code: 27, reportedCode: 6, process: 'Stopped' });
      await clock.advance(60_000);
      expect(find()).toMatchObject({ code: 27, reportedCode: 27 });
    });
  });

  it('is equal for equal times', async () => {
    await withCluster({}, async ({ simulator }) => {
      const before = structuredClone(simulator.truth());
      expect(simulator.truth()).toEqual(before);
    });
  });
});
