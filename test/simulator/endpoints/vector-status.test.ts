import { expect, it } from 'vitest';
import { vectorStatus } from '../../../src/simulator/endpoints/vector-status.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

const world = worldOf({ scenario: 'schema_change', nodes: 2 });

function request(graph: string): Promise<unknown> {
  return jsonOf(vectorStatus(callOn(world, { path: { graph } })));
}

it('vector status › names the engines that rebuild after a change of the schema, and refuses an unknown graph', async () => {
  expect(await request('fraud')).toMatchObject({ error: false, results: { NeedRebuildServers: [] } });
  world.advance(noon + 60_000);
  expect(await request('fraud')).toMatchObject({
    results: { NeedRebuildServers: [expect.any(String), expect.any(String)] },
  });
  expect(await request('nowhere')).toMatchObject({ error: true });
});
