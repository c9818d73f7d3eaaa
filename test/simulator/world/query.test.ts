import { describe, expect, it } from 'vitest';
import { endsAt, type SimulatedQuery } from '../../../src/simulator/world/query.ts';
import { installedQuery } from '../../../src/simulator/world/query-catalog.ts';

function query(startedAt: number | undefined, runsFor: number, timeout: number): SimulatedQuery {
  const order = { graph: 'g', query: 'q', parameters: '', runsFor, timeout, detached: false };
  const state = startedAt === undefined ? 'delayed' : 'running';
  return { ...installedQuery(order), requestId: '1', arrivedAt: 0, startedAt, endedAt: undefined, state };
}

describe('dueAt', () => {
  it.each([
    ['ends when it is done', query(100, 50, 80), 150],
    ['ends when it is out of time', query(100, 90, 80), 180],
    ['does not end while it waits', query(undefined, 50, 80), Number.POSITIVE_INFINITY],
  ])('a query %s', (_, asked, expected) => {
    expect(endsAt(asked)).toBe(expected);
  });
});
