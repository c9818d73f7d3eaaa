import { expect, it } from 'vitest';
import { queuesInWords } from '../../../../src/app/api/landing/resources.ts';
import { workloadQueues } from '../../../../src/collect/workload-queues.ts';
import type { WorkloadQueue } from '../../../../src/model/query.ts';
import { latest, lines } from './landing-fixtures.ts';

function queue(name: string, [running, runningLimit]: readonly [number, number], delayed = 0): WorkloadQueue {
  return { engine: 'GPE_1_1', queue: name, running, runningLimit, delayed, delayedLimit: 20 };
}

it.each([
  ['with room', [queue('OLTP', [3, 10]), queue('AdHoc', [0, 4])], 'good: 2 queues with room'],
  ['none', [], 'plain: The server names no workload queue'],
  [
    'full',
    [queue('OLTP', [10, 10], 4), queue('AdHoc', [0, 4])],
    'warning: Full: OLTP on GPE_1_1 (10 of 10 run, 4 wait)',
  ],
  ['full, none waiting', [queue('OLTP', [10, 10])], 'warning: Full: OLTP on GPE_1_1 (10 of 10 run, 0 wait)'],
  ['without a limit', [queue('OLTP', [99, 0])], 'good: 1 queue with room'],
  ['without a limit, one waiting', [queue('OLTP', [9, 0], 1)], 'warning: Full: OLTP on GPE_1_1 (9 run, 1 wait)'],
])('queues %s', (_, queues, expected) => {
  expect(lines(queuesInWords(latest(workloadQueues, { '': queues })))).toEqual([expected]);
});

it('says when nothing is known', () => {
  expect(lines(queuesInWords(latest(workloadQueues, {}, { silent: [''] })))).toHaveLength(1);
});
