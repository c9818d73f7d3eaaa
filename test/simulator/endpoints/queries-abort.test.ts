import { beforeEach, describe, expect, it } from 'vitest';
import { abortQuery } from '../../../src/simulator/endpoints/queries.ts';
import { installedQuery } from '../../../src/simulator/world/query.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { callOn, jsonOf, nodeOf, noon, withoutLoad, worldOf } from '../test-world.ts';

let world: World;
let ids: readonly string[];
let recorded: string[];

beforeEach(() => {
  world = withoutLoad(worldOf({ maxConcurrentQueries: 3 }));
  recorded = [];
  const start = (graph: string, query: string): string => {
    const order = { graph, query, parameters: 'x=1', runsFor: 9_000, timeout: 16_000, detached: false };
    return nodeOf(world).load.start(installedQuery(order), noon)?.requestId ?? '';
  };
  ids = [start('fraud', 'ring_scan'), start('fraud', 'pagerank'), start('social', 'pagerank'), start('fraud', 'late')];
});

async function abort(graph: string, query: string): Promise<readonly string[]> {
  const recordAbort = (id: string, url: string): void => void recorded.push(`${id} ${url}`);
  const call = callOn(world, { path: { graph }, query: new URLSearchParams(query), recordAbort });
  const answer = Object(await jsonOf(abortQuery(call))) as {
    results: readonly [{ aborted_queries: readonly { requestid: string; url: string }[] }];
  };
  return answer.results[0].aborted_queries.map(({ requestid }) => requestid);
}

describe('abortQuery', () => {
  it.each([
    ['one id', () => `requestid=${ids[0]}`, [0]],
    ['several ids', () => `requestid=${ids[0]}&requestid=${ids[1]}`, [0, 1]],
    ['all', () => 'requestid=all', [0, 1]],
    ['nothing at all', () => '', [0, 1]],
    ['a wildcard', () => 'url=/query/fraud/ring_scan.*', [0]],
    ['a wider wildcard', () => 'url=/query/fraud/.*', [0, 1]],
    ['an exact url', () => 'url=/query/fraud/pagerank', [1]],
    ['an id of another graph', () => `requestid=${ids[2]}`, []],
    ['a delayed query', () => `requestid=${ids[3]}`, []],
    ['an unknown id', () => 'requestid=1.RESTPP_1_1.2.N', []],
  ])('with %s', async (_, query, expected) => {
    expect(await abort('fraud', query())).toEqual(expected.map((index) => ids[index]));
    for (const index of expected) expect(nodeOf(world).load.find(ids[index] ?? '')?.state).toBe('aborted');
  });

  it('reports the aborted queries to the client and in the log', async () => {
    const call = callOn(world, { path: { graph: 'social' }, query: new URLSearchParams(`requestid=${ids[2]}`) });
    expect(await jsonOf(abortQuery(call))).toEqual({
      version: { edition: 'enterprise', api: 'v2', schema: 0 },
      error: false,
      message: '',
      results: [{ aborted_queries: [{ requestid: ids[2], url: '/query/social/pagerank?x=1' }] }],
      code: 'REST-0000',
    });
    await abort('fraud', `requestid=${ids[0]}`);
    expect(recorded).toEqual([`${ids[0]} /query/fraud/ring_scan?x=1`]);
  });

  it('starts the next query of the queue', async () => {
    await abort('fraud', `requestid=${ids[0]}`);
    expect(nodeOf(world).load.running.map(({ requestId }) => requestId)).toContain(ids[3]);
  });

  it('does not affect other nodes', async () => {
    const node = nodeOf(world, 1);
    const call = callOn(world, { node, path: { graph: 'fraud' }, query: new URLSearchParams(`requestid=${ids[0]}`) });
    expect(await jsonOf(abortQuery(call))).toMatchObject({ results: [{ aborted_queries: [] }] });
    expect(nodeOf(world).load.running).toHaveLength(3);
  });

  it('refuses an unknown graph', () => {
    expect(abortQuery(callOn(world, { path: { graph: 'nowhere' } }))).toMatchObject({ status: 404 });
  });
});
