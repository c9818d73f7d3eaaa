import { describe, expect, it } from 'vitest';
import { delayQueuePressure } from '../../../src/alert/rules/delay-queue-pressure.ts';
import { queueFacts } from './queue-facts.ts';
import { findings, situationWith } from './rule-fixtures.ts';

function situation(delayed: readonly [number, number], waits: readonly number[]) {
  const oldest = waits.map((value, at) => [{ node: 'm1', graph: `g${at}` }, value] as const);
  return situationWith({
    ...queueFacts({ running: [50, 50], delayed }),
    graphdb_delayed_query_oldest_age_seconds: oldest,
  });
}

describe('delay_queue_pressure', () => {
  it.each([
    ['no query waits', [0, 20], [0, 0], 0],
    ['few queries wait for a short time', [9, 20], [3, 16], 0],
    ['half of the places are taken', [10, 20], [1, 1], 1],
    ['as many queries wait in a larger queue', [15, 200], [1, 1], 0],
    ['the queue has no places', [0, 0], [1, 1], 0],
    ['a query waits for longer than its usual timeout', [1, 20], [16.5, 0], 1],
  ] as const)('has findings ($3) if $0', (_, delayed, waits, expected) => {
    expect(findings(delayQueuePressure, situation(delayed, waits))).toHaveLength(expected);
  });

  it('states the share of the queue, and the longest wait of the node', () => {
    expect(findings(delayQueuePressure, situation([18, 20], [20, 65]))).toEqual([
      {
        labels: { node: '', engine: 'GPE_1_1', queue: 'OLTP' },
        facts: {
          where: 'in the workload queue OLTP of GPE_1_1',
          pressure: '90 % of the delay queue (18 queries)',
        },
      },
      {
        labels: { node: 'm1', engine: '', queue: '' },
        facts: { where: 'on m1', pressure: 'the oldest query for 1m 5s' },
      },
    ]);
  });

  it('needs fresh queues for a queue only, or the queue in a partial result', () => {
    const stale = { ...situation([18, 20], []), isFresh: () => false };
    expect(delayQueuePressure.knows?.(stale, { node: '', engine: 'GPE_2_1', queue: 'OLTP' })).toBe(false);
    expect(delayQueuePressure.knows?.(stale, { node: '', engine: 'GPE_1_1', queue: 'OLTP' })).toBe(true);
    expect(delayQueuePressure.knows?.(stale, { node: 'm1', engine: '', queue: '' })).toBe(true);
  });
});
