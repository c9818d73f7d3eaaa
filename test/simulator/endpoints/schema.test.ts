import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/simulator/call.ts';
import { graphSchema, schemaIndexes, schemaJobs } from '../../../src/simulator/endpoints/schema.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

const calm = worldOf();
const changed = worldOf({ scenario: 'schema_change' });
changed.advance(noon + 60_000);

function request(endpoint: Endpoint, query: string, world = calm): Promise<unknown> {
  return jsonOf(endpoint(callOn(world, { query: new URLSearchParams(query) })));
}

describe('the schema of a graph', () => {
  it('has vertex and edge types with attributes', async () => {
    expect(await request(graphSchema, 'graph=fraud')).toMatchObject({
      error: false,
      results: {
        GraphName: 'fraud',
        VertexTypes: [
          {
            Name: 'Account',
            Attributes: [
              { AttributeName: 'balance', AttributeType: { Name: 'DOUBLE' } },
              { AttributeName: 'opened_at', HasIndex: true },
            ],
          },
          { Name: 'Person' },
        ],
        EdgeTypes: [{ Name: 'knows', IsDirected: false }, { Name: 'owns', FromVertexTypeName: 'Person' }, {}],
      },
    });
  });

  it('changes with the scenario', async () => {
    const attributes = [{ AttributeName: 'balance' }, { AttributeName: 'risk_score' }];
    expect(await request(graphSchema, 'graph=fraud', changed)).toMatchObject({
      results: { VertexTypes: [{ Attributes: attributes }, {}] },
    });
    expect(await request(schemaIndexes, 'graph=fraud', changed)).toMatchObject({ results: [] });
    expect(await request(schemaJobs, 'graph=fraud&json=true', changed)).toMatchObject({
      results: [{ add_risk_score: expect.stringContaining('SCHEMA_CHANGE JOB') }],
    });
  });
});

it('the indexes of a graph are listed by vertex type', async () => {
  expect(await request(schemaIndexes, 'graph=fraud')).toMatchObject({
    results: [{ Account: [{ index: 'by_opened_at', attribute: 'opened_at' }] }],
  });
});

it('lists of indexes and jobs of all graphs are empty', async () => {
  for (const endpoint of [schemaIndexes, schemaJobs])
    expect(await request(endpoint, '')).toMatchObject({ results: [] });
});

it('an unknown graph is refused', async () => {
  for (const endpoint of [graphSchema, schemaIndexes, schemaJobs]) {
    expect(await request(endpoint, 'graph=nowhere')).toMatchObject({ error: true });
  }
});
