import { expect, it } from 'vitest';
import { SimulatedHeartbeatRows } from '../../../src/simulator/world/heartbeat-rows.ts';

it('a row is visible on each host after its delay, until it is deleted', () => {
  const rows = new SimulatedHeartbeatRows();
  rows.delay('m2', 100);
  rows.load('b1', { at: 1000, writtenAt: 7 });
  expect([rows.read('b1', 'm1', 1000), rows.read('b1', 'm2', 1099)]).toEqual([7, undefined]);
  expect([rows.read('b1', 'm2', 1100), rows.read('b2', 'm1', 1100)]).toEqual([7, undefined]);
  expect([rows.size, rows.delete('b1'), rows.delete('b1'), rows.size]).toEqual([1, 1, 0, 0]);
});

it('a row that is replaced has its former value on a host until the delay is over', () => {
  const rows = new SimulatedHeartbeatRows();
  rows.delay('m2', 100);
  rows.load('b1', { at: 1000, writtenAt: 7 });
  rows.load('b1', { at: 2000, writtenAt: 8 });
  expect([rows.read('b1', 'm1', 2000), rows.read('b1', 'm2', 2099), rows.read('b1', 'm2', 2100)]).toEqual([8, 7, 8]);
  expect(rows.size).toBe(1);
});
