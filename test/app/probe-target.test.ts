import { describe, expect, it } from 'vitest';
import { targetOf } from '../../src/app/probe-target.ts';
import type { Site } from '../../src/app/site.ts';
import { siteOf } from './fake-site.ts';
import { clusterOf, configOf } from './fakes.ts';

const config = configOf([clusterOf('prod', ['m1', 'm2']), clusterOf('prod/m1', ['x'])]);

async function places(query: string, site?: Site): Promise<readonly string[] | string> {
  const target = targetOf(new URLSearchParams(query), site ?? (await siteOf(config)));
  if (!target.ok) return target.error;
  const { watch, places: found } = target.value;
  return found.map(({ planned, node }) => `${watch.settings.name}: ${planned.collector.name}@${node}`);
}

describe('a target', () => {
  it('that is a cluster means everything that runs by interval', async () => {
    expect(await places('target=prod')).toEqual([
      'prod: health@m1',
      'prod: health@m2',
      'prod: load@',
      'prod: backup@',
      'prod: lists@m1',
      'prod: lists@m2',
    ]);
  });

  it('that could be both is the cluster', async () => {
    expect(await places('target=prod/m1&collector=health')).toEqual(['prod/m1: health@x']);
  });

  it('that is a node means what is about it', async () => {
    expect(await places('target=prod/m2')).toEqual(['prod: health@m2', 'prod: lists@m2']);
    expect(await places('target=prod/m1/x')).toEqual(['prod/m1: health@x', 'prod/m1: lists@x']);
  });

  it('takes collectors in lists and repeated, each once', async () => {
    expect(await places('target=prod&collector=load,lists&collector=load')).toEqual([
      'prod: load@',
      'prod: lists@m1',
      'prod: lists@m2',
    ]);
    expect(await places('target=prod/m2&collector=load')).toEqual(['prod: load@m2']);
  });

  it('that is unknown is a sentence', async () => {
    expect(await places('')).toMatch(/missing/);
    expect(await places('target=prod/m3')).toMatch(/'prod\/m3' is not a configured/);
    expect(await places('target=prod&collector=loads')).toMatch(/no collector 'loads'/);
  });

  it('may start a heavy check only where the operator enabled it', async () => {
    const check = { ...(config.collectors.check ?? expect.fail()), enabled: true };
    const allowed = await siteOf({ ...config, collectors: { ...config.collectors, check } });
    expect(await places('target=prod&collector=check')).toMatch(/heavy/);
    expect(await places('target=prod&collector=check', allowed)).toEqual(['prod: check@']);
    expect(await places('target=prod', allowed)).not.toContain('prod: check@');
  });
});
