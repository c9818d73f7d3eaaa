import { describe, expect, it } from 'vitest';
import { dataConsistency, deletedVertices } from '../../../src/simulator/endpoints/engine.ts';
import { callOn, jsonOf, worldOf } from '../test-world.ts';

const envelope = { version: { edition: 'enterprise', api: 'v2', schema: 0 }, error: false, code: 'REST-0000' };
const passed = { PassCheck: true, UnSyncList: [] };

describe('dataConsistency', () => {
  it('has an object of two lists', async () => {
    expect(await jsonOf(dataConsistency(callOn(worldOf())))).toEqual({
      ...envelope,
      message: 'check passed',
      results: {
        GPESelfCheck: [{ Partition: 1, ...passed }],
        GPEGSECheck: [
          { GPE: 'GPE_1_1', ...passed },
          { GPE: 'GPE_1_2', ...passed },
          { GPE: 'GPE_1_3', ...passed },
        ],
      },
    });
  });

  it('reports a failed check without the error flag', async () => {
    const world = worldOf();
    world.consistencyResults.set('data_consistency', '1', 2);
    expect(await jsonOf(dataConsistency(callOn(world)))).toMatchObject({
      ...envelope,
      message: 'check failed',
      results: { GPESelfCheck: [{ Partition: 1, PassCheck: false, UnSyncList: [{ Segid: 0 }, { Segid: 1 }] }] },
    });
  });
});

describe('deletedVertices', () => {
  it('has one verdict per engine', async () => {
    expect(await jsonOf(deletedVertices(callOn(worldOf())))).toEqual({
      ...envelope,
      message: 'check passed',
      results: [
        { GPE: 'GPE_1_1', ...passed },
        { GPE: 'GPE_1_2', ...passed },
        { GPE: 'GPE_1_3', ...passed },
      ],
    });
  });

  it('writes hashes that a double cannot hold as numbers', async () => {
    const world = worldOf();
    world.consistencyResults.set('deleted_vertex', 'GPE_1_2', 1);
    const { body } = await deletedVertices(callOn(world));
    const [, gpe = '', ids = ''] = /"GPEDelHash":(\d{19}),"IDSDelHash":(\d{19})}/.exec(body) ?? [];
    expect(gpe).not.toBe(ids);
    expect(BigInt(gpe)).toBeGreaterThan(7_000_000_000_000_000_000n);
    expect(JSON.parse(body)).toMatchObject({
      message: 'check failed',
      results: [{ PassCheck: true }, { GPE: 'GPE_1_2', PassCheck: false, UnSyncList: [{ VertexType: 'Account' }] }, {}],
    });
  });
});
