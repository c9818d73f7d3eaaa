import { describe, expect, it } from 'vitest';
import { builtinFunctions } from '../../../src/simulator/endpoints/builtin-functions.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

const fraud = { graph: 'fraud' };

function request(world: World, body: unknown, path = fraud): Promise<unknown> {
  return jsonOf(builtinFunctions(callOn(world, { path, body: JSON.stringify(body) })));
}

describe('the built-in functions', () => {
  it('return the number of vertices and of edges by type, without a code', async () => {
    const world = worldOf();
    const { vertices, edges } = world.graphCounts();
    expect(await request(world, { function: 'stat_vertex_number', type: '*' })).toEqual({
      version: { api: 'v2', schema: 1 },
      error: false,
      message: '',
      results: Object.entries(vertices).map(([v_type, count]) => ({ v_type, count })),
    });
    expect(await request(world, { function: 'stat_edge_number', type: 'owns' })).toMatchObject({
      results: [{ e_type: 'owns', count: edges.owns }],
    });
  });

  it('return 0 while the store is cleared', async () => {
    const world = worldOf({ scenario: 'cleared_store' });
    world.advance(noon + 60_000);
    expect(await request(world, { function: 'stat_vertex_number', type: '*' })).toMatchObject({
      results: [{ count: 0 }, { count: 0 }],
    });
  });

  it.each([{}, { function: 'stat_vertex_attr', type: '*' }, { function: 'stat_vertex_number' }, 'text'])(
    'reject the payload %j',
    async (body) => {
      expect(await request(worldOf(), body)).toMatchObject({ error: true, code: 'REST-30000' });
    },
  );

  it('reject a payload that is not JSON, and an unknown graph', async () => {
    const broken = builtinFunctions(callOn(worldOf(), { path: fraud, body: '{' }));
    expect(await jsonOf(broken)).toMatchObject({ error: true, code: 'REST-30000' });
    const unknown = await request(worldOf(), { function: 'stat_edge_number', type: '*' }, { graph: 'nowhere' });
    expect(unknown).toMatchObject({ error: true, code: 'REST-1004' });
  });
});
