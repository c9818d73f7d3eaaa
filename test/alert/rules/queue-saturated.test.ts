import { describe, expect, it } from 'vitest';
import { queueSaturated } from '../../../src/alert/rules/queue-saturated.ts';
import { queueFacts } from './queue-facts.ts';
import { findings, situationWith } from './rule-fixtures.ts';

describe('queue_saturated', () => {
  it.each([
    ['an idle queue', [0, 50], [0, 20], 0],
    ['all slots taken and few delayed queries', [50, 50], [15, 20], 0],
    ['a full delay queue and free slots', [49, 50], [20, 20], 0],
    ['all slots taken and a full delay queue', [50, 50], [20, 20], 1],
    ['a delay queue that is almost full', [50, 50], [16, 20], 1],
    ['a larger delay queue', [50, 50], [20, 200], 0],
    ['all slots taken and no delay queue', [4, 4], [0, 0], 1],
    ['no reported limit', [50, 0], [20, 0], 0],
  ] as const)('has findings ($3) with $0', (_, running, delayed, expected) => {
    const situation = situationWith(queueFacts({ running, delayed }));
    expect(findings(queueSaturated, situation)).toHaveLength(expected);
  });

  it('names the queue with its load and limits', () => {
    const situation = situationWith(queueFacts({ running: [50, 50], delayed: [20, 20] }));
    expect(findings(queueSaturated, situation)).toEqual([
      {
        labels: { engine: 'GPE_1_1', queue: 'OLTP' },
        facts: { running: '50', running_limit: '50', delayed: '20', delayed_limit: '20' },
      },
    ]);
  });

  it('ignores a queue of which a series is missing', () => {
    const { graphdb_workload_queue_running_limit: _, ...others } = queueFacts({ running: [50, 50], delayed: [20, 20] });
    expect(findings(queueSaturated, situationWith(others))).toEqual([]);
  });
});
