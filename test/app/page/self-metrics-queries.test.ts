import { expect, it } from 'vitest';
import { QueryAges } from '../../../src/app/page/query-ages.ts';
import { querySources } from '../../../src/app/page/self-metrics.ts';
import { CallDurations } from '../../../src/app/poll/call-metrics.ts';
import { queries } from '../../../src/collect/queries.ts';
import { ok } from '../../../src/kernel/result.ts';
import { FakeClock } from '../../support/clock.ts';
import { completedCall } from '../../support/completed-call.ts';
import { createRouteDependencies, idleGuard } from '../fake-route-dependencies.ts';
import { clusterOf, configOf } from '../fakes.ts';
import { guardOf, runaway } from '../guard/guard-fixture.ts';

/** Returns the self-metrics of two clusters, one of them with a policy, after a query ended on `m1` of each. */
async function showings() {
  const clock = new FakeClock();
  const clusters = [{ ...clusterOf('prod', ['m1', 'm2']), labels: { site: 'fra' } }, clusterOf('test', ['m1'])];
  const config = { ...configOf(clusters), guard: guardOf({ policies: [{ ...runaway, clusters: ['prod'] }] }) };
  const dependencies = await createRouteDependencies(config);
  const guard = idleGuard(dependencies.ports);
  guard.applyConfig(config);
  const listeners = {
    abortedBy: () => () => undefined,
    onQueriesEnded: () => undefined,
    spanReference: () => undefined,
  };
  const ages = new QueryAges(listeners, config.limits);
  const listed = { requestId: 'a', graph: 'fraud', query: 'ring_scan', kind: 'installed', elapsed: 17_000 };
  for (const cluster of ['prod', 'test', 'gone']) {
    for (const list of [[listed], [], []]) {
      const now = clock.now();
      const feed = {
        cluster,
        collector: queries.name,
        node: 'm1',
        definition: queries,
        labels: {},
        passthrough: false,
      };
      ages.onPollResult(
        feed,
        { result: ok({ graphs: [], queries: list }), source: 'm1', started: now, ended: now },
        { interval: 5000, lifetime: 15_000 },
      );
    }
  }
  const calls = new CallDurations();
  calls.record('prod', { ...completedCall, node: 'm2' });
  calls.record('prod', { ...completedCall, node: 'm3' });
  return new Map(
    querySources(
      {
        guard,
        ages,
        calls,
        changes: { samples: () => [] },
        probes: { samples: () => new Map() },
        admission: { samples: () => [] },
      },
      dependencies.pollers(),
      dependencies.ports.clock.now(),
    ),
  );
}

it('query and guard metrics are on the page for each cluster with its labels, guard metrics only with a policy', async () => {
  const shown = await showings();
  expect([...shown.keys()]).toEqual([
    'admission',
    '["prod","query ages","m1"]',
    '["prod","calls"]',
    '["prod","guard"]',
    '["test","query ages","m1"]',
  ]);
  const prod = shown.get('["prod","query ages","m1"]');
  expect(prod?.labels).toEqual({ cluster_name: 'prod', site: 'fra', node: 'm1' });
  const sum = [...(prod?.samples ?? [])].find(({ part }) => part === '_sum');
  expect([sum?.metric.name, sum?.labels, sum?.value]).toEqual([
    'graphdb_long_query_duration_seconds',
    { node: 'm1', graph: 'fraud', query: 'ring_scan', outcome: 'ended' },
    17,
  ]);
  const guard = [...(shown.get('["prod","guard"]')?.samples ?? [])];
  expect(guard.filter(({ metric }) => metric.name === 'graphwarden_guard_paused')).toHaveLength(1);
  const covered = guard.filter(({ metric }) => metric.name === 'graphwarden_guard_node_covered');
  expect(covered.map(({ labels, value }) => [labels.node, value])).toEqual([
    ['m1', 0],
    ['m2', 0],
  ]);
});
