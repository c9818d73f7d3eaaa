import { expect, it } from 'vitest';
import { dataPoints } from '../../../src/simulator/endpoints/data-points.ts';
import { callOn, jsonOf, nodeOf, worldOf } from '../test-world.ts';

it('data points are a bare array of numbers, on the first node only', async () => {
  const world = worldOf({ nodes: 2, version: '3.9' });
  const points = await jsonOf(dataPoints(callOn(world, { query: new URLSearchParams('what=cpu') })));
  expect(points).toContainEqual({
    detail: expect.any(Number),
    when: expect.any(Number),
    where: 'm1',
    who: 'GPE_1#1',
    what: 'cpu',
  });
  expect(points).not.toContainEqual(expect.objectContaining({ what: 'mem' }));
  const elsewhere = await dataPoints(callOn(world, { node: nodeOf(world, 1) }));
  expect(elsewhere.status).toBe(404);
});
