import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import {
  endsAt,
  installedQueries,
  installedQuery,
  type QuerySpec,
  randomQuery,
  type SimulatedQuery,
} from '../../../src/simulator/world/query.ts';

function query(startedAt: number | undefined, runsFor: number, timeout: number): SimulatedQuery {
  const order = { graph: 'g', query: 'q', parameters: '', runsFor, timeout, detached: false };
  const state = startedAt === undefined ? 'delayed' : 'running';
  return { ...installedQuery(order), requestId: '1', arrivedAt: 0, startedAt, endedAt: undefined, state };
}

describe('endsAt', () => {
  it.each([
    ['ends when it is done', query(100, 50, 80), 150],
    ['ends when it is out of time', query(100, 90, 80), 180],
    ['does not end while it waits', query(undefined, 50, 80), Number.POSITIVE_INFINITY],
  ])('a query %s', (_, simulated, expected) => {
    expect(endsAt(simulated)).toBe(expected);
  });
});

function draw(count: number, slowness = 1): readonly QuerySpec[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, () => randomQuery(['fraud', 'social'], slowness, random));
}

function total(orders: readonly QuerySpec[]): number {
  return orders.reduce((sum, { runsFor }) => sum + runsFor, 0);
}

describe('randomQuery', () => {
  it('is equal for equal seeds', () => {
    expect(draw(50)).toEqual(draw(50));
  });

  it('draws installed, built-in and interpreted queries on all graphs', () => {
    const orders = draw(2_000);
    const starts = new Set(orders.map(({ url }) => url.split('/')[1]));
    expect(starts).toEqual(new Set(['graph', 'gsqlserver', 'query']));
    expect(new Set(orders.map(({ graph }) => graph))).toEqual(new Set(['fraud', 'social', '']));
    expect(new Set(orders.map(({ name }) => name))).toEqual(new Set([...installedQueries, '']));
  });

  it('has user data only in the url', () => {
    for (const { url, endpoint } of draw(500)) {
      expect(url).toContain('?');
      expect(endpoint).toMatch(/^(GET|POST) \/[^?\d]+$/);
    }
  });

  it('puts interpreted queries into a separate queue', () => {
    for (const { queue, url } of draw(2_000)) expect(queue).toBe(url.includes('interpreted') ? 'AdHoc' : 'OLTP');
  });

  it('has a duration in whole milliseconds, which a slowdown multiplies', () => {
    expect(draw(500).every(({ runsFor }) => Number.isInteger(runsFor) && runsFor >= 1)).toBe(true);
    expect(total(draw(500, 5)) / total(draw(500))).toBeCloseTo(5, 1);
  });
});

describe('installedQuery', () => {
  it.each([
    ['', '/query/fraud/ring_scan'],
    ['depth=4', '/query/fraud/ring_scan?depth=4'],
  ])('writes the url with parameters %j', (parameters, url) => {
    const order = { graph: 'fraud', query: 'ring_scan', parameters, runsFor: 10, timeout: 20, detached: true };
    expect(installedQuery(order)).toEqual({
      url,
      endpoint: 'GET /query/fraud/ring_scan',
      graph: 'fraud',
      name: 'ring_scan',
      queue: 'OLTP',
      runsFor: 10,
      timeout: 20,
      detached: true,
    });
  });
});
