import { expect, it } from 'vitest';
import { CallDurations } from '../../src/app/call-metrics.ts';
import { QueryAges } from '../../src/app/query-ages.ts';
import { queryShowings } from '../../src/app/query-metrics.ts';
import { queries } from '../../src/collect/queries.ts';
import { ok } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';
import { madeCall } from '../support/made-call.ts';
import { idleGuard, siteOf } from './fake-site.ts';
import { clusterOf, configOf } from './fakes.ts';
import { guardOf, runaway } from './guard-scene.ts';

/** A site of two clusters, of which one has a policy, after a query has ended on `m1` of each. */
async function showings() {
  const clock = new FakeClock();
  const clusters = [{ ...clusterOf('prod', ['m1', 'm2']), labels: { site: 'fra' } }, clusterOf('test', ['m1'])];
  const config = { ...configOf(clusters), guard: guardOf({ policies: [{ ...runaway, clusters: ['prod'] }] }) };
  const site = await siteOf(config);
  const guard = idleGuard(site.ports);
  guard.follow(config);
  const listeners = { abortedBy: () => () => undefined, over: () => undefined, spanOf: () => undefined };
  const ages = new QueryAges(listeners, config.limits);
  const listed = { requestId: 'a', graph: 'fraud', query: 'ring_scan', kind: 'installed', elapsed: 17_000 };
  for (const cluster of ['prod', 'test', 'gone']) {
    for (const list of [[listed], [], []]) {
      const now = clock.now();
      const feed = { cluster, collector: queries.name, node: 'm1', of: queries, labels: {}, passthrough: false };
      ages.taken(
        feed,
        { result: ok({ graphs: [], queries: list }), source: 'm1', started: now, ended: now },
        { lifetime: 15_000 },
      );
    }
  }
  const calls = new CallDurations();
  calls.count('prod', { ...madeCall, node: 'm2' });
  calls.count('prod', { ...madeCall, node: 'm3' });
  return new Map(queryShowings({ guard, ages, calls }, site.watches(), site.ports.clock.now()));
}

it('is on the page by cluster, with its labels, and of the guard where a policy concerns it', async () => {
  const shown = await showings();
  expect([...shown.keys()]).toEqual([
    'guard',
    '["prod","query ages","m1"]',
    '["prod","calls","m2"]',
    '["prod","guard"]',
    '["test","query ages","m1"]',
  ]);
  const prod = shown.get('["prod","query ages","m1"]');
  expect(prod?.labels).toEqual({ cluster_name: 'prod', site: 'fra' });
  const sum = [...(prod?.samples ?? [])].find(({ part }) => part === '_sum');
  expect([sum?.metric.name, sum?.labels, sum?.value]).toEqual([
    'graphdb_long_query_duration_seconds',
    { node: 'm1', graph: 'fraud', query: 'ring_scan', outcome: 'ended' },
    17,
  ]);
  const guard = [...(shown.get('["prod","guard"]')?.samples ?? [])];
  const covered = guard.filter(({ metric }) => metric.name === 'graphwarden_guard_node_covered');
  expect(covered.map(({ labels, value }) => [labels.node, value])).toEqual([
    ['m1', 0],
    ['m2', 0],
  ]);
});
