import { describe, expect, it } from 'vitest';
import { unknownGraph } from '../../../src/simulator/endpoints/unknown-graph.ts';
import { worldOf } from '../test-world.ts';

describe('unknownGraph', () => {
  it('refuses what does not exist, with the documented code', () => {
    const world = worldOf({ graphs: ['one'] });
    expect(unknownGraph(world, 'one')).toBeUndefined();
    expect(unknownGraph(world, 'two')).toMatchObject({ status: 404, body: expect.stringContaining('REST-1004') });
    expect(unknownGraph(world, '')?.status).toBe(404);
  });
});
