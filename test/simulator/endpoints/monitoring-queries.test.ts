import { describe, expect, it } from 'vitest';
import { interpretQuery, monitoringResults } from '../../../src/simulator/endpoints/monitoring-queries.ts';
import { callOn, jsonOf, worldOf } from '../test-world.ts';

function run(name: string, graph = 'fraud', query = new URLSearchParams()) {
  const reply = monitoringResults(name, graph, callOn(worldOf(), { query }));
  return reply === undefined ? undefined : jsonOf(reply);
}

describe('the queries for monitoring', () => {
  it('print the results of their names', async () => {
    expect(await run('degree_outliers')).toMatchObject({
      results: [{ '@@by_type': [{ type: 'Account', outliers: 24, max_degree: 12_000 }, { type: 'Person' }] }],
    });
    expect(await run('orphan_vertices')).toMatchObject({ results: [{ '@@orphans': { Account: 481, Person: 352 } }] });
    expect(await run('data_age')).toMatchObject({
      results: [{ '@@newest': [{ type: 'Account', age_seconds: 42 }, {}, {}] }],
    });
  });

  it('reject an invalid parameter, an unknown graph and other names', async () => {
    const wrong = new URLSearchParams({ min_degree: 'many' });
    expect(await run('degree_outliers', 'fraud', wrong)).toMatchObject({ error: true, code: 'REST-30000' });
    expect(await run('data_age', 'nope')).toMatchObject({ error: true, code: 'REST-1004' });
    expect(run('toString')).toBeUndefined();
  });
});

function request(body: string): Promise<unknown> {
  return jsonOf(interpretQuery(callOn(worldOf(), { body })));
}

describe('an interpreted query', () => {
  it('prints the totals of its graph', async () => {
    const reply = await request('INTERPRET QUERY () FOR GRAPH fraud { PRINT 1; }');
    expect(reply).toMatchObject({
      error: false,
      results: [{ vertices: expect.any(Number), edges: expect.any(Number) }],
    });
  });

  it('is refused without a graph that exists', async () => {
    expect(await request('INTERPRET QUERY () FOR GRAPH nope { }')).toMatchObject({ error: true });
    expect(await request('DROP ALL')).toMatchObject({ error: true });
  });
});
