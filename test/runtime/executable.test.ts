import { expect, it } from 'vitest';
import { isExecutable, threadScript } from '../../src/runtime/executable.ts';

it('a program that is not an executable has files, which its threads load', () => {
  expect(isExecutable()).toBe(false);
  expect(threadScript()).toBeUndefined();
});
