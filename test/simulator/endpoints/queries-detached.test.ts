import { beforeEach, describe, expect, it } from 'vitest';
import { queryResult, queryStatus } from '../../../src/simulator/endpoints/queries.ts';
import { installedQuery } from '../../../src/simulator/world/query.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { callOn, jsonOf, nodeOf, noon, withoutLoad, worldOf } from '../test-world.ts';

let world: World;
let ids: readonly string[];

beforeEach(() => {
  world = withoutLoad(worldOf({ maxConcurrentQueries: 4 }));
  const start = (runsFor: number, detached = true): string => {
    const order = { graph: 'fraud', query: 'pagerank', parameters: '', runsFor, timeout: 2_000, detached };
    return nodeOf(world).load.start(installedQuery(order), noon)?.requestId ?? '';
  };
  ids = [start(500), start(90_000), start(900), start(100, false), start(90_000)];
});

async function status(query: string): Promise<unknown> {
  return jsonOf(queryStatus(callOn(world, { query: new URLSearchParams(query) })));
}

describe('queryStatus', () => {
  it('returns the state of a query', async () => {
    nodeOf(world).load.abort(({ requestId }) => requestId === ids[2], noon + 50);
    world.advance(noon + 2_000);
    const requested = [0, 1, 2].map((index) => `requestid=${ids[index]}`).join('&');
    expect(await status(requested)).toMatchObject({
      results: [
        { requestid: ids[2], elapsedTime: 50, status: 'aborted' },
        { requestid: ids[0], elapsedTime: 500, status: 'success' },
        { requestid: ids[1], elapsedTime: 2_000, status: 'timeout' },
      ],
      code: 'REST-0000',
    });
  });

  it('reports a queued query as running, with the fields of a process list', async () => {
    expect(await status(`requestid=${ids[4]}`)).toMatchObject({
      results: [
        {
          requestid: ids[4],
          startTime: '2026-09-22 05:00:00.000',
          expirationTime: '2026-09-22 05:00:02.000',
          url: '/query/fraud/pagerank',
          elapsedTime: 0,
          status: 'running',
        },
      ],
    });
  });

  it.each(['', 'requestid=all'])('reports all running queries for the request %j', async (query) => {
    const { results } = Object(await status(query)) as { results: readonly { requestid: string }[] };
    expect(results.map(({ requestid }) => requestid)).toEqual([ids[0], ids[1], ids[2]]);
  });

  it('lists unknown ids, including those of attached queries', async () => {
    expect(await status(`requestid=${ids[3]}&requestid=nobody`)).toMatchObject({
      results: [],
      unknown_requestid: [ids[3], 'nobody'],
    });
    expect(Object(await status(`requestid=${ids[0]}`))).not.toHaveProperty('unknown_requestid');
  });
});

describe('queryResult', () => {
  const result = (id: string): unknown =>
    jsonOf(queryResult(callOn(world, { query: new URLSearchParams({ requestid: id }) })));

  it('is an error while the query runs', async () => {
    expect(await result(ids[0] ?? '')).toMatchObject({
      error: true,
      message: `Unable to retrieve result for query ${ids[0]}`,
    });
    expect(await result('nobody')).toMatchObject({ error: true });
  });

  it('has no code if the result is available', async () => {
    world.advance(noon + 500);
    const answer = await result(ids[0] ?? '');
    expect(answer).toMatchObject({ error: false, results: [{ simulated: true, query: 'pagerank' }] });
    expect(answer).not.toHaveProperty('code');
  });
});
