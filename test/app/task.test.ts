import { describe, expect, it } from 'vitest';
import { taskKey } from '../../src/app/task.ts';

describe('the key of a task', () => {
  it('is the same for the same reader, whatever the order', () => {
    const key = taskKey({ cluster: 'prod', collector: 'queries', node: 'm1' });
    expect(taskKey({ node: 'm1', collector: 'queries', cluster: 'prod' })).toBe(key);
  });

  it.each([
    { cluster: 'test', collector: 'queries', node: 'm1' },
    { cluster: 'prod', collector: 'health', node: 'm1' },
    { cluster: 'prod', collector: 'queries', node: '' },
    { cluster: 'prod","queries', collector: 'm1', node: '' },
    { cluster: 'prod', collector: 'queries","m1', node: '' },
  ])('tells any other one from it: %j', (other) => {
    expect(taskKey(other)).not.toBe(taskKey({ cluster: 'prod', collector: 'queries', node: 'm1' }));
  });
});
