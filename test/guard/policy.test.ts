import { expect, it } from 'vitest';
import { effectiveMode } from '../../src/guard/policy.ts';

it.each([
  ['observe', 'observe', 'observe'],
  ['observe', 'enforce', 'observe'],
  ['enforce', 'observe', 'observe'],
  ['enforce', 'enforce', 'enforce'],
] as const)('a guard that says %s and a policy that says %s come to %s', (guard, policy, mode) => {
  expect(effectiveMode({ mode: guard }, { mode: policy })).toBe(mode);
});
