import { describe, expect, it } from 'vitest';
import type { Listen } from '../../src/kernel/listener.ts';
import { ListenerController } from '../../src/simulator/listener-controller.ts';
import { ToggleListener } from '../../src/simulator/toggle-listener.ts';
import type { ScenarioName } from '../../src/simulator/world/scenarios.ts';
import type { World } from '../../src/simulator/world/world.ts';
import { FakeClock } from '../support/clock.ts';
import { nodeOf, noon, worldOf } from './test-world.ts';

interface Kept {
  readonly keeper: ListenerController;
  readonly world: World;
  readonly clock: FakeClock;
  readonly open: Set<number>;
  /** Ports that other processes occupy. */
  readonly taken: Set<number>;
}

async function answer(): Promise<{ status: number }> {
  return { status: 200 };
}

async function kept(scenario: ScenarioName): Promise<Kept> {
  const world = worldOf({ scenario });
  const clock = new FakeClock();
  const open = new Set<number>();
  const taken = new Set<number>();
  const listen: Listen = async ({ port, host }) => {
    if (taken.has(port)) throw new Error('the address is taken');
    open.add(port);
    return { host, port, close: async () => void open.delete(port) };
  };
  const doors = [1, 2, 3].map((port) => new ToggleListener(listen, { host: 'h', port, handler: answer }));
  const catchUp = (): void => world.advance(noon + clock.now().mono);
  const keeper = new ListenerController(world, doors, { clock, catchUp });
  await keeper.start();
  return { keeper, world, clock, open, taken };
}

function listed(open: ReadonlySet<number>): string {
  return [...open].toSorted((a, b) => a - b).join();
}

describe('ListenerController', () => {
  it('follows a scenario without requests', async () => {
    const { keeper, clock, open } = await kept('node_outage');
    const seen: string[] = [];
    for (const length of [29_000, 2_000, 88_000, 2_000]) {
      await clock.advance(length);
      seen.push(listed(open));
    }
    expect(seen).toEqual(['1,2,3', '1,2', '1,2', '1,2,3']);
    await keeper.close();
  });

  it('waits for a port that another process opened while the node was down', async () => {
    const { keeper, clock, open, taken } = await kept('node_outage');
    await clock.advance(31_000);
    taken.add(3);
    await clock.advance(100_000);
    expect(listed(open)).toBe('1,2');
    taken.clear();
    await clock.advance(1_000);
    expect(listed(open)).toBe('1,2,3');
    await keeper.close();
    expect(clock.sleeping).toBe(0);
  });

  it('updates listeners immediately on request', async () => {
    const { keeper, world, open } = await kept('calm');
    world.switchHost(nodeOf(world, 1), false);
    await keeper.sync();
    expect([...open]).toEqual([1, 3]);
    const remove = world.faultInjector.inject('connection_refused', { node: 'm1' });
    await keeper.sync();
    expect([...open]).toEqual([3]);
    remove();
    await keeper.sync();
    expect(listed(open)).toBe('1,3');
    await keeper.close();
  });

  it('wakes up earlier if another scenario has shorter phases', async () => {
    const { keeper, world, clock, open } = await kept('calm');
    world.startScenario('bad_server');
    await keeper.sync();
    expect(open.size).toBe(0);
    await clock.advance(10_000);
    expect(open.size).toBe(3);
    await keeper.close();
  });

  it('closes permanently, without pending work', async () => {
    const { keeper, clock, open } = await kept('calm');
    await keeper.close();
    await keeper.close();
    await keeper.sync();
    expect([open.size, clock.sleeping]).toEqual([0, 0]);
  });
});
