import { describe, expect, it } from 'vitest';
import { isInScope, planCollectors, planConfigured } from '../../../src/app/poll/collector-plan.ts';
import { collectors } from '../../../src/collect/all.ts';
import { customSection } from '../../../src/collect/custom/settings.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';
import { queries } from '../../../src/collect/queries.ts';
import type { Scope } from '../../../src/config/config.ts';
import { settingsOf } from '../fakes.ts';

const everything = Object.fromEntries(
  collectors.map((collector) => [collector.name, settingsOf(collector, { enabled: true })]),
);

const ofNodes = ['health', 'statistics', 'queries', 'delayed_queries', 'detached_queries', 'schema_versions'];
const inventories = [
  'endpoints',
  'schema',
  'graph_sizes',
  'query_definitions',
  'loading_jobs',
  'data_sources',
  'vector_indexes',
  'user_functions',
  'optimizer_statistics',
  'users',
  'scim',
  'statements',
];
const tasks = ['consistency', 'rebuild', 'expired_tokens'];
const ofClusters = ['metrics', 'categories', 'services', 'workload_queues', 'license', ...tasks, ...inventories];

describe('the plan', () => {
  it('limits the age of queries as configured', () => {
    const settings = settingsOf(queries, { enabled: true, overdueAfter: 10_000 });
    const [planned] = planCollectors(collectors, { scope: 'all', collectors: { queries: settings } });
    const facts = {
      graphs: [],
      queries: [{ graph: 'fraud', query: 'q', kind: 'installed', requestId: '1', elapsed: 10_001 }],
    };
    expect(planned?.collector.listedQueries?.(facts, { wall: 0, mono: 0 })).toMatchObject([{ overdue: true }]);
  });

  it.each<[Scope, readonly string[]]>([
    ['all', [...ofNodes, ...ofClusters]],
    ['node', ofNodes],
    ['cluster', ofClusters],
  ])('has the collectors of the scope %s', (scope, expected) => {
    const names = planCollectors(collectors, { scope, collectors: everything }).map(({ collector }) => collector.name);
    expect(names.toSorted()).toEqual([...expected].toSorted());
  });

  it('polls each fact once with a sidecar and a cluster process', () => {
    for (const collector of collectors) {
      expect(isInScope(collector, 'all')).toBe(true);
      expect(isInScope(collector, 'node')).toBe(!isInScope(collector, 'cluster'));
    }
  });

  it('omits collectors that are disabled or have no settings', () => {
    const { health, license, ...rest } = everything;
    expect(license).toBeDefined();
    const settings = { ...rest, ...(health === undefined ? {} : { health: { ...health, enabled: false } }) };
    const names = planCollectors(collectors, { scope: 'all', collectors: settings }).map(
      ({ collector }) => collector.name,
    );
    expect(names).not.toContain('health');
    expect(names).not.toContain('license');
    expect(names).toContain('services');
  });
});

describe('the plan of custom queries and probes', () => {
  const metric = { name: 'a', help: 'A.', value: 'a' };
  const custom = customSection.parse([
    { name: 'one', graph: 'g', query: 'q', metrics: [metric] },
    { name: 'each', graph: 'g', query: 'q', metrics: [metric], nodes: 'all', clusters: ['prod'] },
  ]);

  const probes = probesSection.parse([
    { name: 'a', graph: 'g', installed_query: { query: 'q' }, interval: '5m' },
    { name: 'b', graph: 'g', installed_query: { query: 'q' }, interval: '5m', nodes: 'all', clusters: ['prod'] },
  ]);

  it.each<[Scope, string, readonly string[]]>([
    ['all', 'prod', ['custom_one', 'custom_each', 'probe_a', 'probe_b']],
    ['all', 'test', ['custom_one', 'probe_a']],
    ['node', 'prod', ['custom_each', 'probe_b']],
    ['cluster', 'prod', ['custom_one', 'probe_a']],
  ])('has those of the scope %s on the cluster %s', (scope, cluster, expected) => {
    const planned = planConfigured({ custom, probes, scope }, cluster);
    expect(planned.map(({ collector }) => collector.name)).toEqual(expected);
    for (const { settings } of planned) expect(settings).toMatchObject({ enabled: true, interval: 300_000 });
  });
});
