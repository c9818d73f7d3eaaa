import { expect, it } from 'vitest';
import { cardinality } from '../../../src/simulator/endpoints/cardinality.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

it('the stored cardinality is that of the start of the simulation, also after the store was cleared', async () => {
  const world = worldOf({ scenario: 'cleared_store' });
  const request = (graph: string): Promise<unknown> =>
    jsonOf(cardinality(callOn(world, { query: new URLSearchParams({ graph }) })));
  const calm = await request('fraud');
  expect(calm).toMatchObject({
    error: false,
    results: { vertex_counts: [{ type: 'Account', count: 1_204_000 }, {}], edge_counts: [{ type: 'knows' }, {}, {}] },
  });
  world.advance(noon + 60_000);
  expect(await request('fraud')).toEqual(calm);
  expect(await request('nowhere')).toMatchObject({ error: true });
});
