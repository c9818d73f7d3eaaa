import { describe, expect, it } from 'vitest';
import { reportChecks, reportClusters, reportCollectors } from '../../../src/app/api/status-report.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from '../fakes.ts';

describe('the report', () => {
  it('is in the order of the configuration', async () => {
    const dependencies = await createRouteDependencies(
      configOf([clusterOf('b', ['m2', 'm1']), clusterOf('a', ['m1'])]),
    );
    expect(reportClusters(dependencies).map(({ name }) => name)).toEqual(['b', 'a']);
    expect(reportClusters(dependencies)[0]?.nodes.map(({ name }) => name)).toEqual(['m2', 'm1']);
  });

  it('shows only scheme, host and port of an address', async () => {
    const cluster = clusterOf('prod', [], {
      nodes: [{ name: 'm1', url: 'https://user:hidden@m1.test:14240/prefix?token=hidden' }],
    });
    const dependencies = await createRouteDependencies(configOf([cluster]));
    expect(reportClusters(dependencies)[0]?.nodes[0]?.address).toBe('https://m1.test:14240');
    expect(JSON.stringify(reportClusters(dependencies))).not.toContain('hidden');
  });

  it('has no state of nodes without a liveness call', async () => {
    const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1'])], { scope: 'cluster' }));
    await dependencies.clock.advance(3000);
    expect(reportClusters(dependencies)[0]?.nodes[0]?.state).toBe('unknown');
    expect(reportCollectors(dependencies).map(({ collector }) => collector)).toEqual(['load', 'backup']);
  });

  it('shows a node that answers some requests as up', async () => {
    const bed = testbed();
    bed.fakeClusters.set('health', 'm1', { ...err(failure('auth', 'no')), partial: 1 });
    bed.fakeClusters.set('health', 'm2', err(failure('timeout', 'no')));
    const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1', 'm2'])]), bed);
    await dependencies.clock.advance(2000);
    expect(reportClusters(dependencies)[0]?.nodes.map(({ state }) => state)).toEqual(['up', 'down']);
    const states = reportCollectors(dependencies).filter(({ collector }) => collector === 'health');
    expect(states.map(({ state, reason }) => [state, reason])).toEqual([
      ['failing', 'auth'],
      ['failing', 'timeout'],
    ]);
  });

  it('has the time since which a node has its state, also if the state never changed', async () => {
    const bed = testbed();
    const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1'])]), bed);
    const node = () => reportClusters(dependencies)[0]?.nodes[0];
    await dependencies.clock.advance(2000);
    expect(node()).toMatchObject({ state: 'up', since: '2026-09-22T04:53:21.000Z', sinceFirstPoll: true });
    bed.fakeClusters.set('health', 'm1', err(failure('unreachable', 'refused')));
    await dependencies.clock.advance(30_000);
    const down = { state: 'down', sinceFirstPoll: false, reason: 'unreachable', message: 'refused' };
    expect(node()).toMatchObject({ ...down, since: '2026-09-22T04:53:22.500Z' });
    bed.fakeClusters.set('health', 'm1', ok(1));
    await dependencies.clock.advance(5000);
    expect(node()).toMatchObject({ state: 'up', sinceFirstPoll: false, reason: '', message: '' });
  });

  it('measures the duration of a state by the monotonic clock', async () => {
    const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1'])]));
    await dependencies.clock.advance(10_000);
    dependencies.clock.step(3_600_000);
    const health = () => reportCollectors(dependencies).find(({ collector }) => collector === 'health');
    expect(reportClusters(dependencies)[0]?.nodes[0]?.since).toBe('2026-09-22T05:53:21.000Z');
    expect(health()?.since).toBe('2026-09-22T05:53:21.000Z');
  });

  it('names the node that returned a cluster-scoped fact', async () => {
    const bed = testbed();
    bed.fakeClusters.set('load', 'm1', err(failure('status', 'no')));
    bed.fakeClusters.set('load', 'm2', ok(1));
    const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1', 'm2'])]), bed);
    await dependencies.clock.advance(2000);
    expect(reportCollectors(dependencies).find(({ collector }) => collector === 'load')).toMatchObject({
      node: '',
      source: 'm2',
      state: 'healthy',
    });
  });

  it('has no checks before the first run', async () => {
    const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1'])]));
    await dependencies.clock.advance(3000);
    expect(reportChecks(dependencies)).toEqual([]);
  });
});
