import { describe, expect, it } from 'vitest';
import { graphList } from '../../../src/simulator/endpoints/graph-list.ts';
import { callOn, jsonOf, worldOf } from '../test-world.ts';

const shape = { vertices: ['Account', 'Person'], edges: ['knows', 'owns', 'transfers'] };

describe('graphList', () => {
  it('lists graphs beside the envelope', async () => {
    expect(await jsonOf(graphList(callOn(worldOf())))).toEqual({
      graphs: [
        { graphName: 'fraud', ...shape },
        { graphName: 'social', ...shape },
      ],
      error: false,
      message: '',
    });
  });

  it('grows with the cluster', async () => {
    const world = worldOf({ graphs: [] });
    expect(await jsonOf(graphList(callOn(world)))).toMatchObject({ graphs: [] });
    world.addGraph('routes');
    expect(await jsonOf(graphList(callOn(world)))).toMatchObject({ graphs: [{ graphName: 'routes' }] });
  });

  it.each(['graphName=social', 'graph=social'])('lists one with %s', async (query) => {
    const call = callOn(worldOf(), { query: new URLSearchParams(query) });
    expect(await jsonOf(graphList(call))).toMatchObject({ graphs: [{ graphName: 'social' }] });
  });

  it('refuses one that does not exist', () => {
    expect(graphList(callOn(worldOf(), { query: new URLSearchParams('graph=none') }))).toMatchObject({ status: 404 });
  });
});
