import { describe, expect, it } from 'vitest';
import { parseProbeTarget } from '../../../src/app/api/probe-route.ts';
import type { RouteDependencies } from '../../../src/app/api/route-dependencies.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf } from '../fakes.ts';

const config = configOf([clusterOf('prod', ['m1', 'm2']), clusterOf('prod/m1', ['x'])]);

async function places(query: string, site?: RouteDependencies): Promise<readonly string[] | string> {
  const target = parseProbeTarget(new URLSearchParams(query), site ?? (await createRouteDependencies(config)));
  if (!target.ok) return target.error;
  const { poller, places: found } = target.value;
  return found.map(({ planned, node }) => `${poller.settings.name}: ${planned.collector.name}@${node}`);
}

describe('a target', () => {
  it('that is a cluster selects every collector with an interval', async () => {
    expect(await places('target=prod')).toEqual([
      'prod: health@m1',
      'prod: health@m2',
      'prod: load@',
      'prod: backup@',
      'prod: lists@m1',
      'prod: lists@m2',
    ]);
  });

  it('that matches a cluster and a node is the cluster', async () => {
    expect(await places('target=prod/m1&collector=health')).toEqual(['prod/m1: health@x']);
  });

  it('that is a node selects the collectors of the node', async () => {
    expect(await places('target=prod/m2')).toEqual(['prod: health@m2', 'prod: lists@m2']);
    expect(await places('target=prod/m1/x')).toEqual(['prod/m1: health@x', 'prod/m1: lists@x']);
  });

  it('accepts lists of collectors and repeated ones, each once', async () => {
    expect(await places('target=prod&collector=load,lists&collector=load')).toEqual([
      'prod: load@',
      'prod: lists@m1',
      'prod: lists@m2',
    ]);
    expect(await places('target=prod/m2&collector=load')).toEqual(['prod: load@m2']);
  });

  it('that is unknown is an error', async () => {
    expect(await places('')).toMatch(/missing/);
    expect(await places('target=prod/m3')).toMatch(/'prod\/m3' is not a configured/);
    expect(await places('target=prod&collector=loads')).toMatch(/'loads' does not exist/);
  });

  it('starts an expensive check only if the configuration enables it', async () => {
    const check = { ...(config.collectors.check ?? expect.fail()), enabled: true };
    const allowed = await createRouteDependencies({ ...config, collectors: { ...config.collectors, check } });
    expect(await places('target=prod&collector=check')).toMatch(/expensive/);
    expect(await places('target=prod&collector=check', allowed)).toEqual(['prod: check@']);
    expect(await places('target=prod', allowed)).not.toContain('prod: check@');
  });
});
