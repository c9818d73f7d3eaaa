import { describe, expect, it } from 'vitest';
import {
  delayedListAll,
  elapsed,
  processEntry,
  processList,
  processListAll,
} from '../../../src/simulator/endpoints/queries.ts';
import { installedQuery } from '../../../src/simulator/world/query.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { callOn, jsonOf, nodeOf, noon, withoutLoad, worldOf } from '../test-world.ts';

function loaded(count: number): World {
  const world = withoutLoad(worldOf({ maxConcurrentQueries: 2 }));
  for (let index = 0; index < count; index += 1) {
    const graph = index % 2 === 0 ? 'fraud' : 'social';
    const order = {
      graph,
      query: 'ring_scan',
      parameters: 'seed=a-1',
      runsFor: 9_000,
      timeout: 16_000,
      detached: false,
    };
    nodeOf(world).load.start(installedQuery(order), noon);
  }
  world.advance(noon + 3_385);
  return world;
}

const entry = {
  requestid: expect.stringMatching(new RegExp(`^\\d+\\.RESTPP_1_1\\.${noon}\\.N$`)),
  startTime: '2026-09-22 05:00:00.000',
  expirationTime: '2026-09-22 05:00:16.000',
  url: '/query/fraud/ring_scan?seed=a-1',
};

describe('the process lists', () => {
  it('of one graph have no elapsed times', async () => {
    const answer = await jsonOf(processList(callOn(loaded(2), { path: { graph: 'fraud' } })));
    expect(answer).toEqual({
      version: { edition: 'enterprise', api: 'v2', schema: 0 },
      error: false,
      message: '',
      results: [entry],
      code: 'REST-0000',
    });
  });

  it('of all graphs have elapsed times', async () => {
    const { results } = Object(await jsonOf(processListAll(callOn(loaded(2))))) as { results: readonly unknown[] };
    expect(results.slice(0, 2)).toEqual([
      { ...entry, elapsedTime: 3_385 },
      { ...entry, url: '/query/social/ring_scan?seed=a-1', elapsedTime: 3_385 },
    ]);
  });

  it('contain only queries of the requested node', async () => {
    const world = loaded(2);
    withoutLoad(world);
    expect(await jsonOf(processListAll(callOn(world)))).toMatchObject({ results: [] });
  });

  it('refuse an unknown graph', () => {
    expect(processList(callOn(loaded(0), { path: { graph: 'nowhere' } }))).toMatchObject({ status: 404 });
  });
});

describe('the delayed list', () => {
  it('has partial ids, which may repeat, and no expiration', async () => {
    const { results } = Object(await jsonOf(delayedListAll(callOn(loaded(4))))) as { results: readonly unknown[] };
    expect(results.slice(0, 2)).toEqual([
      {
        requestidPartial: String(noon),
        startTime: '2026-09-22 05:00:00.000',
        url: '/query/fraud/ring_scan?seed=a-1',
        elapsedTime: 3_385,
      },
      {
        requestidPartial: String(noon),
        startTime: '2026-09-22 05:00:00.000',
        url: '/query/social/ring_scan?seed=a-1',
        elapsedTime: 3_385,
      },
    ]);
  });
});

describe('an entry', () => {
  const world = loaded(1);
  const query = nodeOf(world).load.running[0] ?? expect.fail('a query');

  it('has times of the clock of the host', () => {
    world.faultInjector.inject('clock_skew', {});
    expect(processEntry(query, callOn(world))).toEqual({
      ...entry,
      startTime: '2026-09-22 06:00:00.000',
      expirationTime: '2026-09-22 06:00:16.000',
    });
  });

  it('grows older until it ends', () => {
    expect(elapsed(query, noon + 100)).toBe(100);
    expect(elapsed({ ...query, startedAt: noon + 60 }, noon + 100)).toBe(40);
    expect(elapsed({ ...query, endedAt: noon + 70 }, noon + 100)).toBe(70);
  });
});
