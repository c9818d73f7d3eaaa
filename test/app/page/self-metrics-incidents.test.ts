import { describe, expect, it } from 'vitest';
import { incidentSources, stateMetrics } from '../../../src/app/page/self-metrics.ts';
import { services } from '../../../src/collect/services.ts';
import { ok } from '../../../src/kernel/result.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf } from '../fakes.ts';

const config = configOf([clusterOf('prod', ['m1'], { labels: { env: 'x' } })]);

async function showingsOf(store = memoryStore()) {
  const dependencies = await createRouteDependencies(config);
  await dependencies.incidents.configure({ ...config, clusters: ['prod'] });
  const now = dependencies.clock.now();
  const state = { service: 'GPE', partition: '1', replica: '1', status: 'Online', process: '', eventId: '' };
  const result = ok([{ ...state, timestampNs: '' }]);
  const feed = {
    cluster: 'prod',
    collector: 'services',
    node: '',
    definition: services,
    labels: {},
    passthrough: false,
  };
  dependencies.incidents.onPollResult(
    feed,
    { result, source: 'm1', started: now, ended: now },
    { interval: 5000, lifetime: 15_000 },
  );
  const sources = {
    incidents: dependencies.incidents,
    alerts: dependencies.alerts,
    deliverer: dependencies.deliverer,
    store,
  };
  return new Map(incidentSources(sources, dependencies.pollers(), now));
}

describe('metrics of alerts', () => {
  it('are separate for each cluster and for graphwarden itself', async () => {
    const shown = await showingsOf();
    const names = (source: string) => [...(shown.get(source)?.samples ?? [])].map(({ metric }) => metric.name);
    expect(shown.get('["prod","alerts"]')?.labels).toEqual({ cluster_name: 'prod', env: 'x' });
    expect(shown.get('["alerts"]')?.labels).toEqual({ cluster_name: '' });
    expect(names('["prod","alerts"]')).toContain('graphwarden_alerts_silenced');
    expect(names('["alerts"]')).toContain('graphwarden_alerts_silenced');
    expect(names('["outbox"]')).toEqual([]);
  });
});

describe('samples of the incident processor', () => {
  it('are those of the tracker of each cluster, with the labels of the cluster', async () => {
    const tracked = (await showingsOf()).get('["prod","tracker"]');
    expect(tracked?.labels).toEqual({ cluster_name: 'prod', env: 'x' });
    const value = (name: string) => [...(tracked?.samples ?? [])].find(({ metric }) => metric.name === name)?.value;
    expect(value('graphdb_partition_replicas')).toBe(1);
    expect(value('graphdb_service_flapping')).toBe(0);
  });

  it.each([
    ['1 while what happens is stored', undefined, true, 1],
    ['0 while it is not', 'the disk is full', false, 0],
  ])('is %s', async (_, problem, durable, shown) => {
    const store = memoryStore(problem);
    expect(store.durable).toBe(durable);
    const own = (await showingsOf(store)).get('["state"]');
    expect(own?.labels).toEqual({});
    expect([...(own?.samples ?? [])].map(({ metric, value }) => [metric.name, value])).toEqual([
      ['graphwarden_state_durable', shown],
    ]);
    expect(stateMetrics.map(({ name }) => name)).toEqual(['graphwarden_state_durable']);
  });
});
