import { describe, expect, it } from 'vitest';
import { queueLoads } from '../../../src/alert/rules/queue-load.ts';
import { queueFacts } from './queue-facts.ts';
import { situationWith } from './rule-fixtures.ts';

describe('queue loads', () => {
  it('join the four series of each queue of each engine', () => {
    const families = queueFacts({ running: [3, 50], delayed: [1, 20] });
    const other = Object.entries(families).map(([name, samples]) => {
      const more = samples.map(([labels, value]) => [{ ...labels, engine: 'GPE_1_2' }, value * 2] as const);
      return [name, [...samples, ...more]] as const;
    });
    expect([...queueLoads(situationWith(Object.fromEntries(other)))]).toEqual([
      { labels: { engine: 'GPE_1_1', queue: 'OLTP' }, running: 3, delayed: 1, runningLimit: 50, delayedLimit: 20 },
      { labels: { engine: 'GPE_1_2', queue: 'OLTP' }, running: 6, delayed: 2, runningLimit: 100, delayedLimit: 40 },
    ]);
  });

  it('skip a queue without a limit', () => {
    const { graphdb_workload_queue_delayed_limit: _, ...others } = queueFacts({ running: [3, 50], delayed: [1, 20] });
    expect([...queueLoads(situationWith(others))]).toEqual([]);
  });
});
