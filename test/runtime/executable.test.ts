import { expect, it } from 'vitest';
import { isExecutable, threadScript } from '../../src/runtime/executable.ts';

it('a program that is not an executable loads its threads from files', () => {
  expect(isExecutable()).toBe(false);
  expect(threadScript()).toBeUndefined();
});
