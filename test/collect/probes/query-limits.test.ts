import { expect, it } from 'vitest';
import { limitsOf } from '../../../src/collect/probes/query-limits.ts';

it('limits have only the keys that are set', () => {
  expect(limitsOf({})).toEqual({});
  expect(limitsOf({ replica: 1, thread_limit: 2, memory_limit: 3 })).toEqual({ replica: 1, threads: 2, memory: 3 });
});
