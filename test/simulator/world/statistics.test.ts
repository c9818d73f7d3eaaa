import { describe, expect, it } from 'vitest';
import type { SimulatedQuery, SimulatedQueryState } from '../../../src/simulator/world/query.ts';
import { installedQuery } from '../../../src/simulator/world/query.ts';
import { summarizeEndpoints } from '../../../src/simulator/world/statistics.ts';

function ended(length: number, state: SimulatedQueryState = 'success', query = 'ring_scan'): SimulatedQuery {
  const order = { graph: 'fraud', query, parameters: '', runsFor: length, timeout: 16_000, detached: false };
  return {
    ...installedQuery(order),
    requestId: '1',
    arrivedAt: 1_000,
    startedAt: 1_000,
    endedAt: 1_000 + length,
    state,
  };
}

describe('summarizeEndpoints', () => {
  it('is empty without requests', () => {
    expect(summarizeEndpoints([], { seconds: 60, segments: 10 })).toEqual({});
  });

  it('counts completed and timed-out requests by endpoint', () => {
    const queries = [ended(30), ended(50), ended(16_000, 'timeout'), ended(10, 'aborted'), ended(5, 'success', 'a')];
    const summary = summarizeEndpoints(queries, { seconds: 60, segments: 2 });
    expect(Object.keys(summary)).toEqual(['GET /query/fraud/a', 'GET /query/fraud/ring_scan']);
    expect(summary['GET /query/fraud/ring_scan']).toEqual({
      CompletedRequests: 2,
      QPS: 0.03,
      TimeoutRequests: 1,
      AverageLatency: 40,
      MaxLatency: 50,
      MinLatency: 30,
      LatencyPercentile: [30, 50],
    });
  });

  it('has zeros without completed requests', () => {
    expect(
      summarizeEndpoints([ended(16_000, 'timeout')], { seconds: 10, segments: 3 })['GET /query/fraud/ring_scan'],
    ).toEqual({
      CompletedRequests: 0,
      QPS: 0,
      TimeoutRequests: 1,
      AverageLatency: 0,
      MaxLatency: 0,
      MinLatency: 0,
      LatencyPercentile: [0, 0, 0],
    });
  });

  it.each([
    [7, 10],
    [10, 10],
    [133, 150],
    [812, 900],
    [4_020, 4_500],
    [9_120, 10_000],
  ])('answers percentiles with upper bounds: %d ms becomes %d', (length, bound) => {
    const { LatencyPercentile, MaxLatency } =
      summarizeEndpoints([ended(length)], { seconds: 60, segments: 1 })['GET /query/fraud/ring_scan'] ??
      expect.fail('a record');
    expect(LatencyPercentile).toEqual([bound]);
    expect(MaxLatency).toBe(length);
  });

  it('divides the latencies into the requested number of segments', () => {
    const queries = Array.from({ length: 100 }, (_, index) => ended((index + 1) * 10));
    const record = summarizeEndpoints(queries, { seconds: 60, segments: 100 })['GET /query/fraud/ring_scan'];
    expect(record?.LatencyPercentile).toHaveLength(100);
    expect([record?.LatencyPercentile[0], record?.LatencyPercentile[49], record?.LatencyPercentile[99]]).toEqual([
      10, 500, 1_000,
    ]);
    const sorted = record?.LatencyPercentile.toSorted((a, b) => a - b);
    expect(record?.LatencyPercentile).toEqual(sorted);
  });
});
