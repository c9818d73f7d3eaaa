import { describe, expect, it } from 'vitest';
import { delayQueuePressure } from '../../../src/alert/rules/delay-queue-pressure.ts';
import { findings, situationWith } from './rule-fixtures.ts';

function facts(values: readonly number[]) {
  return values.map((value, at) => [{ node: 'm1', graph: `g${at}` }, value] as const);
}

function queue(counts: readonly number[], waits: readonly number[]) {
  return situationWith({
    graphdb_queries_delayed: facts(counts),
    graphdb_delayed_query_oldest_age_seconds: facts(waits),
  });
}

describe('delay_queue_pressure', () => {
  it.each([
    ['nothing waits', [0, 0], [0, 0], 0],
    ['few wait for a short time', [7, 7], [3, 16], 0],
    ['many wait, of several graphs together', [8, 7], [1, 1], 1],
    ['one waits for longer than its usual time-out', [1, 0], [16.5, 0], 1],
  ])('where %s', (_, counts, waits, expected) => {
    expect(findings(delayQueuePressure, queue(counts, waits))).toHaveLength(expected);
  });

  it('says how many and for how long', () => {
    expect(findings(delayQueuePressure, queue([10, 8], [20, 65]))).toEqual([
      { labels: { node: 'm1' }, facts: { queries: '18 queries', longest: '1m 5s' } },
    ]);
  });
});
