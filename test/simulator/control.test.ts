import { beforeEach, describe, expect, it } from 'vitest';
import { createControl, type SimulatorControl } from '../../src/simulator/control.ts';
import type { World } from '../../src/simulator/world/world.ts';
import { nodeOf, noon, withoutLoad, worldOf } from './test-world.ts';

let world: World;
let control: SimulatorControl;
let settled: number;

beforeEach(() => {
  world = withoutLoad(worldOf());
  settled = 0;
  const settle = async (): Promise<void> => {
    settled += 1;
  };
  control = createControl(world, settle, () => world.advance(noon + 1_000));
});

describe('SimulatorControl', () => {
  it('switches to another scenario', async () => {
    await control.setScenario('flapping');
    expect([world.scenario, world.nextChangeAt, settled]).toEqual(['flapping', noon + 26_000, 1]);
  });

  it('adds graphs', () => {
    control.addGraph('routes');
    expect(world.graphs).toContain('routes');
  });

  it('sets the status of one service instance now', () => {
    control.setService('GPE', '1', '2', 'Paused');
    const paused = world.serviceStatuses.entries.filter(({ status }) => status === 'Paused');
    expect(paused).toMatchObject([{ since: noon + 1_000, instance: { service: 'GPE', replica: '2' } }]);
  });

  it.each([
    ['GPE', '2', '1'],
    ['GPE', '', '1'],
    ['NOPE', '', '1'],
  ])('rejects the unknown instance %s %s#%s', (service, partition, replica) => {
    expect(() => control.setService(service, partition, replica, 'Down')).toThrow(`no service instance ${service}`);
  });

  it('starts queries with the requested properties, and the default timeout', () => {
    const query = control.startQuery({ node: 'm2', graph: 'fraud', query: 'mine', runsFor: 5_000, parameters: 'a=b' });
    expect(query).toMatchObject({ url: '/query/fraud/mine?a=b', timeout: 16_000, detached: false, state: 'running' });
    expect(nodeOf(world, 1).load.running).toContain(query);
    const long = control.startQuery({
      node: 'm2',
      graph: 'fraud',
      query: 'mine',
      runsFor: 5,
      timeout: 7,
      detached: true,
    });
    expect(long).toMatchObject({ timeout: 7, detached: true, arrivedAt: noon + 1_000 });
  });

  it('aborts them as a client would', () => {
    const { requestId = '' } = control.startQuery({ node: 'm1', graph: 'fraud', query: 'mine', runsFor: 5_000 }) ?? {};
    expect(control.abortQuery('m2', requestId)).toBe(false);
    expect(control.abortQuery('m1', requestId)).toBe(true);
    expect(control.abortQuery('m1', requestId)).toBe(false);
  });

  it('stops and starts nodes', async () => {
    await control.stopNode('m3');
    expect([world.isReachable(nodeOf(world, 2)), settled]).toEqual([false, 1]);
    await control.startNode('m3');
    expect([world.isReachable(nodeOf(world, 2)), settled]).toEqual([true, 2]);
    await expect(control.stopNode('m9')).rejects.toThrow("no node 'm9'");
  });

  it('injects and removes faults', async () => {
    const remove = await control.injectFault('html_200', { node: 'm1', path: '/api/ping' });
    expect(world.faultInjector.faultsFor('m1', '/api/ping')).toEqual(['html_200']);
    expect(world.faultInjector.faultsFor('m2', '/api/ping')).toEqual([]);
    await remove();
    expect(world.faultInjector.faultsFor('m1', '/api/ping')).toEqual([]);
    expect(settled).toBe(2);
    await control.injectFault('html_502');
    expect(world.faultInjector.faultsFor('m3', '/')).toEqual(['html_502']);
  });

  it('makes consistency checks fail', () => {
    control.setUnsynced('deleted_vertex', 'GPE_1_3', 4);
    expect(world.consistencyResults.results.filter(({ unsynced }) => unsynced > 0)).toHaveLength(1);
  });
});
