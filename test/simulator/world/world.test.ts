import { describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../../src/simulator/options.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { nodeOf, noon, worldOf } from '../test-world.ts';

function statusOf(world: World, service: string, host: string): string | undefined {
  return world.serviceStatuses.entries.find(
    ({ instance }) => instance.service === service && instance.host.name === host,
  )?.status;
}

function ranFor(length: number, options: SimulatorOptions): World {
  const world = worldOf(options);
  world.advance(noon + length);
  return world;
}

function shape(world: World): unknown {
  return [
    world.hosts.map(({ load }) => [load.running, load.delayed, load.rejected, load.endedSince(0)]),
    world.serviceStatuses.entries,
    world.informant.view,
  ];
}

describe('simulated cluster', () => {
  it('has queries from the start', () => {
    const world = worldOf();
    expect(world.now).toBe(noon);
    expect(world.informant.views.length).toBeGreaterThan(1);
    expect(Object.keys(world.statistics(nodeOf(world), { seconds: 60, segments: 10 })).length).toBeGreaterThan(3);
  });

  it('does not depend on the number of time steps', () => {
    const often = worldOf({ scenario: 'flapping' });
    for (let passed = 0; passed <= 90_000; passed += 333) often.advance(noon + passed);
    often.advance(noon + 90_000);
    expect(shape(often)).toEqual(shape(ranFor(90_000, { scenario: 'flapping' })));
  });

  it('depends on its seed', () => {
    expect(shape(ranFor(10_000, { seed: 1 }))).not.toEqual(shape(ranFor(10_000, { seed: 2 })));
  });

  it('does not move back in time', () => {
    const world = ranFor(10_000, {});
    world.advance(noon);
    expect(world.now).toBe(noon + 10_000);
  });

  it('advances a whole day in one step', () => {
    const world = ranFor(86_400_000, {});
    expect(world.informant.view.at).toBeGreaterThan(noon + 86_400_000 - 60_000);
  });
});

describe('the scenarios of the simulated cluster', () => {
  it('calm has a few running and no delayed queries', () => {
    const world = ranFor(60_000, {});
    for (const { load } of world.hosts) {
      expect(load.running.length).toBeLessThan(15);
      expect([load.delayed.length, load.rejected]).toEqual([0, 0]);
    }
  });

  it('rejected_storm rejects about half of the queries', () => {
    const world = ranFor(60_000, { scenario: 'rejected_storm', nodes: 1 });
    const { load } = nodeOf(world);
    const [accepted, rejected] = [load.accepted, load.rejected];
    world.advance(noon + 180_000);
    const more = load.rejected - rejected;
    const share = more / (more + load.accepted - accepted);
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.6);
  });

  it('queue_storm fills and overflows the queues, and ends', () => {
    const world = ranFor(100_000, { scenario: 'queue_storm' });
    const { load } = nodeOf(world);
    expect([load.running.length, load.delayed.length > 0]).toEqual([expect.any(Number), true]);
    expect(load.running.length).toBeGreaterThanOrEqual(50);
    expect(load.rejected).toBeGreaterThan(0);
    world.advance(noon + 239_000);
    expect(load.delayed).toEqual([]);
  });

  it('runaway_queries runs long queries on two nodes', () => {
    const world = ranFor(115_000, { scenario: 'runaway_queries' });
    const old = world.hosts.map(({ load }) =>
      load.running.filter(({ timeout }) => timeout === 600_000).map(({ name }) => name),
    );
    expect(old).toEqual([['ring_scan', 'ring_scan', 'ring_scan', 'community_of'], ['pagerank'], []]);
  });

  it.each([
    [20_000, 'Online'],
    [26_000, 'Down'],
    [34_000, 'Starting'],
    [40_000, 'Warmup'],
    [50_000, 'Online'],
  ])('flapping has an engine after %d ms in %s', (after, expected) => {
    const world = ranFor(after, { scenario: 'flapping' });
    expect(statusOf(world, 'GPE', 'm2')).toBe(expected);
    expect(statusOf(world, 'GPE', 'm1')).toBe('Online');
  });

  it.each([
    [20_000, true, 'Online'],
    [40_000, false, 'Down'],
    [121_000, true, 'Starting'],
    [140_000, true, 'Warmup'],
    [170_000, true, 'Online'],
  ])('node_outage has the last host after %d ms reachable: %s, its engine %s', (after, reachable, expected) => {
    const world = ranFor(after, { scenario: 'node_outage' });
    expect(world.isReachable(nodeOf(world, 2))).toBe(reachable);
    expect(statusOf(world, 'GPE', 'm3')).toBe(expected);
    expect(statusOf(world, 'RESTPP', 'm3')).toBe(reachable ? 'Online' : 'Down');
  });

  it('disk_full fills the disk of one host and makes its engine read-only', () => {
    const world = ranFor(1_519_000, { scenario: 'disk_full' });
    const free = world.informant.view.disks.map(({ measurement }) => measurement[0]?.freeMb ?? Number.NaN);
    expect(free[1]).toBe(0);
    expect(free[0]).toBeGreaterThan(100_000);
    expect(statusOf(world, 'GPE', 'm2')).toBe('Readonly');
    world.advance(noon + 1_819_000);
    expect(world.informant.view.disks[1]?.measurement[0]?.freeMb).toBeGreaterThan(100_000);
    expect(statusOf(world, 'GPE', 'm2')).toBe('Online');
  });

  it('bad_server stops listeners and skews clocks during their phases', () => {
    const world = ranFor(5_000, { scenario: 'bad_server' });
    expect(world.isReachable(nodeOf(world))).toBe(false);
    world.advance(noon + 11_000);
    expect(world.isReachable(nodeOf(world))).toBe(true);
    expect(world.faultInjector.faultsFor('m1', '/')).toEqual(['reset_mid_body']);
  });

  it('run on a cluster of one node', () => {
    for (const scenario of ['node_outage', 'runaway_queries', 'disk_full'] as const) {
      expect(() => ranFor(200_000, { scenario, nodes: 1 })).not.toThrow();
    }
  });
});

describe('a host that is switched off', () => {
  it('loses its queries, its services and its counters', () => {
    const world = ranFor(60_000, {});
    const node = nodeOf(world, 1);
    const before = world.informant.view.network[1]?.measurement.incoming ?? 0;
    world.switchHost(node, false);
    world.advance(noon + 190_000);
    expect([node.load.running, node.load.delayed]).toEqual([[], []]);
    expect(statusOf(world, 'NGINX', 'm2')).toBe('Down');
    expect(world.informant.view.capacity.map(({ host }) => host.name)).toEqual(['m1', 'm3']);
    world.switchHost(node, true);
    world.advance(noon + 260_000);
    expect(statusOf(world, 'NGINX', 'm2')).toBe('Online');
    expect(world.informant.view.network[1]?.measurement.incoming).toBeLessThan(before);
  });

  it('is not restarted by a second start', () => {
    const world = worldOf();
    const node = nodeOf(world);
    const { bootedAt } = node;
    world.switchHost(node, true);
    expect(node.bootedAt).toBe(bootedAt);
  });
});

describe('the clock of a host', () => {
  it('is ahead by the clock skew of the cluster and of a fault', () => {
    const world = worldOf({ clockSkew: -5_000 });
    const { host } = nodeOf(world);
    expect(world.hostTime(host)).toBe(noon - 5_000);
    const remove = world.faultInjector.inject('clock_skew', { node: 'm1' });
    expect(world.hostTime(host)).toBe(noon + 3_595_000);
    expect(world.hostTime(nodeOf(world, 1).host)).toBe(noon - 5_000);
    remove();
    expect(world.hostTime(host)).toBe(noon - 5_000);
  });
});

describe('graphs', () => {
  it('can be added once, and get queries', () => {
    const world = worldOf();
    world.addGraph('routes');
    world.addGraph('routes');
    expect(world.graphs).toEqual(['fraud', 'social', 'routes']);
    world.advance(noon + 60_000);
    const window = { seconds: 60, segments: 1, graph: 'routes' };
    expect(Object.keys(world.statistics(nodeOf(world), window))).toContain('GET /query/routes/account_history');
  });
});
