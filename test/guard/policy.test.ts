import { expect, it } from 'vitest';
import { effectiveMode } from '../../src/guard/policy.ts';

it.each([
  ['observe', 'observe', 'observe'],
  ['observe', 'enforce', 'observe'],
  ['enforce', 'observe', 'observe'],
  ['enforce', 'enforce', 'enforce'],
] as const)('guard mode %s and policy mode %s give the effective mode %s', (guard, policy, mode) => {
  expect(effectiveMode({ mode: guard }, { mode: policy })).toBe(mode);
});
