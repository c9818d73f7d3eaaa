import { expect, it } from 'vitest';
import { HeartbeatRows } from '../../../src/simulator/world/heartbeat-rows.ts';

it('a row is visible on each host after its delay, until it is deleted', () => {
  const rows = new HeartbeatRows();
  rows.delay('m2', 100);
  rows.load('b1', 1000);
  expect([rows.isVisible('b1', 'm1', 1000), rows.isVisible('b1', 'm2', 1099)]).toEqual([true, false]);
  expect([rows.isVisible('b1', 'm2', 1100), rows.isVisible('b2', 'm1', 1100)]).toEqual([true, false]);
  expect([rows.size, rows.delete('b1'), rows.delete('b1'), rows.size]).toEqual([1, 1, 0, 0]);
});
