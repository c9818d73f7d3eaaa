import { expect, it } from 'vitest';
import { dataSources } from '../../../src/simulator/endpoints/data-sources.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

it('data sources are one of all graphs and one of each graph, with another broker while loading fails', async () => {
  const world = worldOf({ scenario: 'bad_load', graphs: ['fraud'] });
  const request = (): Promise<unknown> => jsonOf(dataSources(callOn(world)));
  const calm = await request();
  expect(calm).toMatchObject({
    error: false,
    results: [
      { name: 'archive', type: 'S3', isLocal: false },
      { name: 'transfers', belongTo: 'fraud', type: 'KAFKA', content: { broker: 'kafka-1.example:9092' } },
    ],
  });
  world.advance(noon + 60_000);
  expect(await request()).toMatchObject({ results: [{}, { content: { broker: 'kafka-2.example:9092' } }] });
});
