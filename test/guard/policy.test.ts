import { expect, it } from 'vitest';
import { effectiveMode, escalationReceivers } from '../../src/guard/policy.ts';
import { policyOf } from './parsed-policy.ts';

it.each([
  ['observe', 'observe', 'observe'],
  ['observe', 'enforce', 'observe'],
  ['enforce', 'observe', 'observe'],
  ['enforce', 'enforce', 'enforce'],
] as const)('guard mode %s and policy mode %s give the effective mode %s', (guard, policy, mode) => {
  expect(effectiveMode({ mode: guard }, { mode: policy })).toBe(mode);
});

it('names the receivers of the next policy that has any', () => {
  const policies = [
    policyOf({ name: 'a', notify: ['chat'] }),
    policyOf({ name: 'b' }),
    policyOf({ name: 'c', notify: ['pager', 'mail'] }),
  ];
  expect(escalationReceivers(policies)).toEqual({ a: ['pager', 'mail'], b: ['pager', 'mail'], c: [] });
});
