import { describe, expect, it } from 'vitest';
import { rebuildGraph, statistics } from '../../../src/simulator/endpoints/engine.ts';
import type { Reply } from '../../../src/simulator/replies.ts';
import { callOn, jsonOf, nodeOf, withoutLoad, worldOf } from '../test-world.ts';

const world = worldOf();

async function request(query: string, graph?: string): Promise<Reply> {
  return statistics(callOn(world, { path: graph === undefined ? {} : { graph }, query: new URLSearchParams(query) }));
}

describe('statistics', () => {
  it('has no envelope, only endpoints of the graph', async () => {
    const answer = Object(await jsonOf(request('seconds=60&segments=10', 'fraud')));
    expect(answer).toEqual(world.statistics(nodeOf(world), { seconds: 60, segments: 10, graph: 'fraud' }));
    expect(Object.keys(answer)).toContain('GET /query/fraud/account_history');
    expect(Object.keys(answer).filter((key) => key.includes('social'))).toEqual([]);
    expect(Object.keys(answer).every((key) => key.includes(' '))).toBe(true);
  });

  it('has all graphs without a graph parameter, and ten segments by default', async () => {
    const answer = Object(await jsonOf(request('seconds=60'))) as Record<string, { LatencyPercentile: number[] }>;
    expect(Object.keys(answer)).toContain('GET /query/social/account_history');
    expect(Object.values(answer).every(({ LatencyPercentile }) => LatencyPercentile.length === 10)).toBe(true);
  });

  it('covers the requested number of seconds', async () => {
    const total = async (seconds: number): Promise<number> => {
      const answer = Object(await jsonOf(request(`seconds=${seconds}`))) as Record<
        string,
        { CompletedRequests: number }
      >;
      return Object.values(answer).reduce((sum, { CompletedRequests }) => sum + CompletedRequests, 0);
    };
    expect(await total(60)).toBeGreaterThan(await total(5));
  });

  it('is an empty object without requests', async () => {
    const idle = withoutLoad(worldOf());
    const query = new URLSearchParams('seconds=60');
    expect(await jsonOf(statistics(callOn(idle, { path: { graph: 'fraud' }, query })))).toEqual({});
  });

  it.each([
    '',
    'seconds=0',
    'seconds=61',
    'seconds=1.5',
    'seconds=x',
    'seconds=60&segments=0',
    'seconds=60&segments=101',
  ])('refuses %j in the envelope of the data plane', async (query) => {
    const reply = await request(query, 'fraud');
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({ error: true, code: 'REST-30400' });
  });

  it('refuses an unknown graph', async () => {
    expect(await request('seconds=60', 'nowhere')).toMatchObject({ status: 404 });
  });
});

describe('rebuildnow', () => {
  it('keeps the order of the graphs, and refuses an unknown one', async () => {
    const own = worldOf();
    for (const graph of ['social', 'fraud']) {
      expect(await jsonOf(rebuildGraph(callOn(own, { path: { graph } })))).toMatchObject({ error: false, results: [] });
    }
    expect(await jsonOf(rebuildGraph(callOn(own, { path: { graph: 'none' } })))).toMatchObject({ error: true });
    expect(own.rebuiltGraphs).toEqual(['social', 'fraud']);
  });
});
