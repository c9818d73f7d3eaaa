import { describe, expect, it } from 'vitest';
import { createTopology } from '../../../src/simulator/topology.ts';
import { serverRelease } from '../../../src/simulator/versions.ts';
import { isRunning, ServiceStatuses } from '../../../src/simulator/world/service-statuses.ts';

const topology = createTopology(3, serverRelease('4.1.2'));
const [first, second] = topology.hosts;

function down(board: ServiceStatuses): readonly string[] {
  return board.entries
    .filter(({ status }) => status === 'Down')
    .map(({ instance: { service, partition, replica } }) => `${service}_${partition}#${replica}`);
}

describe('ServiceStatuses', () => {
  it('begins with every instance online', () => {
    const board = new ServiceStatuses(topology, 7);
    expect(board.entries).toHaveLength(topology.services.length);
    expect(board.entries.every(({ status, since }) => status === 'Online' && since === 7)).toBe(true);
  });

  it.each([
    [{ service: 'GPE', partition: '1', replica: '2' }, ['GPE_1#2']],
    [{ service: 'GSE', replica: '3' }, ['GSE_1#3']],
    [{ service: 'EXE', partition: '2', replica: '' }, ['EXE_2#']],
    [{ service: 'RESTPP', host: 'm1' }, ['RESTPP_#1']],
    [{ service: 'GPE' }, ['GPE_1#1', 'GPE_1#2', 'GPE_1#3']],
    [{ service: 'TS3' }, []],
    [{ service: 'RESTPP', partition: '1' }, []],
  ])('sets the instances that %j names', (pattern, expected) => {
    const board = new ServiceStatuses(topology, 0);
    expect(board.set(pattern, 'Down', 100)).toBe(expected.length);
    expect(down(board)).toEqual(expected);
  });

  it('has the start of each status, which only a change updates', () => {
    const board = new ServiceStatuses(topology, 0);
    board.set({ service: 'GPE', replica: '1' }, 'Warmup', 100);
    board.set({ service: 'GPE', replica: '1' }, 'Warmup', 200);
    expect(board.entries.find(({ status }) => status === 'Warmup')?.since).toBe(100);
  });

  it('lists the instances that serve requests', () => {
    const board = new ServiceStatuses(topology, 0);
    board.set({ service: 'GUI', replica: '1' }, 'Down', 1);
    if (first === undefined || second === undefined) expect.fail('two hosts');
    expect(board.isServing('GUI', first)).toBe(false);
    expect(board.isServing('GUI', second)).toBe(true);
    expect(board.isServing('TS3', first)).toBe(false);
  });
});

describe('isRunning', () => {
  it.each([
    ['Online', true],
    ['Warmup', true],
    ['Readonly', true],
    ['Starting', true],
    ['StatusUnknown', true],
    ['Offline', false],
    ['Down', false],
  ] as const)('%s: %s', (status, expected) => {
    expect(isRunning(status)).toBe(expected);
  });
});
