import { expect, it } from 'vitest';
import { counterIncreased } from '../../../src/alert/rules/counter-increase.ts';

it('a counter increased recently if it grew, is new, or belongs to a new process', () => {
  expect(
    counterIncreased({ family: 'aborts_total', matchers: 'policy=""', windowSeconds: 300, lookback: '1h' }).split(
      ' or ',
    ),
  ).toEqual([
    'increase(aborts_total{policy=""}[300s]) > 0',
    '(aborts_total{policy=""} > 0 unless present_over_time(aborts_total[1h] offset 300s))',
    '(aborts_total{policy=""} > 0 and on (job, namespace, pod, instance) time() - process_start_time_seconds < 300)',
  ]);
});
