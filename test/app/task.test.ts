import { expect, it } from 'vitest';
import { taskKey } from '../../src/app/task.ts';

it('has a key of its own for each place', () => {
  const places = [
    { cluster: 'prod', collector: 'queries', node: 'm1' },
    { cluster: 'prod', collector: 'queries', node: '' },
    { cluster: 'prod', collector: 'health', node: 'm1' },
    { cluster: 'test', collector: 'queries', node: 'm1' },
    { cluster: 'prod","queries', collector: '', node: 'm1' },
  ];
  expect(new Set(places.map(taskKey)).size).toBe(places.length);
});
