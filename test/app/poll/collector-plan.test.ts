import { describe, expect, it } from 'vitest';
import { isInScope, planCollectors } from '../../../src/app/poll/collector-plan.ts';
import { collectors } from '../../../src/collect/all.ts';
import type { Scope } from '../../../src/config/config.ts';
import { settingsOf } from '../fakes.ts';

const everything = Object.fromEntries(
  collectors.map((collector) => [collector.name, settingsOf(collector, { enabled: true })]),
);

const ofNodes = ['health', 'statistics', 'queries', 'delayed_queries'];
const inventories = ['endpoints', 'graph_sizes', 'query_definitions', 'loading_jobs'];
const ofClusters = ['metrics', 'categories', 'services', 'workload_queues', 'license', 'consistency', ...inventories];

describe('the plan', () => {
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
