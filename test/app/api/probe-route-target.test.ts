import { describe, expect, it } from 'vitest';
import { parseProbeTarget } from '../../../src/app/api/probe-route.ts';
import type { RouteDependencies } from '../../../src/app/api/route-dependencies.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from '../fakes.ts';

const config = configOf([clusterOf('prod', ['m1', 'm2']), clusterOf('prod/m1', ['x'])]);

async function targetsOf(query: string, dependencies?: RouteDependencies): Promise<readonly string[] | string> {
  const target = parseProbeTarget(new URLSearchParams(query), dependencies ?? (await createRouteDependencies(config)));
  if (!target.ok) return target.error;
  const { poller, targets: found } = target.value;
  return found.map(({ planned, node }) => `${poller.settings.name}: ${planned.collector.name}@${node}`);
}

const probes = probesSection.parse([
  { name: 'ring', graph: 'fraud', installed_query: { query: 'q' } },
  { name: 'each', graph: 'fraud', installed_query: { query: 'q' }, nodes: ['m2'], clusters: ['prod'] },
]);

describe('a module', () => {
  async function placesWithProbes(query: string): Promise<readonly string[] | string> {
    return await targetsOf(query, await createRouteDependencies({ ...config, probes }));
  }

  it('is one probe, on the nodes of its definition', async () => {
    expect(await placesWithProbes('target=prod&module=ring')).toEqual(['prod: probe_ring@']);
    expect(await placesWithProbes('target=prod/m2&module=ring')).toEqual(['prod: probe_ring@m2']);
    expect(await placesWithProbes('target=prod&module=each')).toEqual(['prod: probe_each@m2']);
  });

  it('that is unknown, does not run on the target or is combined with collectors is an error', async () => {
    expect(await placesWithProbes('target=prod&module=rings')).toMatch(/'rings' does not run.*: ring, each\.$/);
    expect(await placesWithProbes('target=prod/m1/x&module=each')).toMatch(/'each' does not run.*: ring\.$/);
    expect(await placesWithProbes('target=prod/m2&module=health')).toMatch(/'health' does not run/);
    expect(await placesWithProbes('target=prod&module=ring&collector=health')).toMatch(/are mutually exclusive/);
    expect(await targetsOf('target=prod&module=ring')).toMatch(/: none\.$/);
  });

  it('does not run with the collectors of a target', async () => {
    expect(await placesWithProbes('target=prod')).not.toContain('prod: probe_ring@');
  });
});

it('a collector that changes the server runs for no scraper', async () => {
  const bed = testbed();
  const collectors = bed.parts.collectors.map((one) => (one.name === 'load' ? { ...one, taskRuns: () => [] } : one));
  const dependencies = await createRouteDependencies(config, { ...bed, parts: { ...bed.parts, collectors } });
  expect(await targetsOf('target=prod&collector=load', dependencies)).toBe(
    "Collector 'load' changes the server: it runs at its scheduled times only.",
  );
});

describe('a target', () => {
  it('that is a cluster selects every collector with an interval', async () => {
    expect(await targetsOf('target=prod')).toEqual([
      'prod: health@m1',
      'prod: health@m2',
      'prod: load@',
      'prod: backup@',
      'prod: lists@m1',
      'prod: lists@m2',
    ]);
  });

  it('that matches a cluster and a node is the cluster', async () => {
    expect(await targetsOf('target=prod/m1&collector=health')).toEqual(['prod/m1: health@x']);
  });

  it('that is a node selects the collectors of the node', async () => {
    expect(await targetsOf('target=prod/m2')).toEqual(['prod: health@m2', 'prod: lists@m2']);
    expect(await targetsOf('target=prod/m1/x')).toEqual(['prod/m1: health@x', 'prod/m1: lists@x']);
  });

  it('accepts lists of collectors and repeated ones, each once', async () => {
    expect(await targetsOf('target=prod&collector=load,lists&collector=load')).toEqual([
      'prod: load@',
      'prod: lists@m1',
      'prod: lists@m2',
    ]);
    expect(await targetsOf('target=prod/m2&collector=load')).toEqual(['prod: load@m2']);
  });

  it('that is unknown is an error', async () => {
    expect(await targetsOf('')).toMatch(/missing/);
    expect(await targetsOf('target=prod/m3')).toMatch(/'prod\/m3' is not a configured/);
    expect(await targetsOf('target=prod&collector=loads')).toMatch(/'loads' does not exist/);
  });

  it('starts an expensive check only if the configuration enables it', async () => {
    const check = { ...(config.collectors.check ?? expect.fail()), enabled: true };
    const allowed = await createRouteDependencies({ ...config, collectors: { ...config.collectors, check } });
    expect(await targetsOf('target=prod&collector=check')).toMatch(/expensive/);
    expect(await targetsOf('target=prod&collector=check', allowed)).toEqual(['prod: check@']);
    expect(await targetsOf('target=prod', allowed)).not.toContain('prod: check@');
  });
});
