import { expect, it } from 'vitest';
import {
  effectiveMode,
  escalationReceivers,
  policiesByPrecedence,
  policiesForCluster,
} from '../../src/guard/policy.ts';
import { policyOf } from './parsed-policy.ts';

it.each([
  ['observe', 'observe', 'observe'],
  ['observe', 'enforce', 'observe'],
  ['enforce', 'observe', 'observe'],
  ['enforce', 'enforce', 'enforce'],
] as const)('guard mode %s and policy mode %s give the effective mode %s', (guard, policy, mode) => {
  expect(effectiveMode({ mode: guard }, { mode: policy })).toBe(mode);
});

it('guard policy › applies a policy to the clusters that it names, or to every cluster, enforcing policies first', () => {
  const policies = [
    policyOf({ name: 'watched', mode: 'observe' }),
    policyOf({ name: 'here', clusters: ['prod'], mode: 'enforce' }),
    policyOf({ name: 'elsewhere', clusters: ['test'], mode: 'enforce' }),
  ];
  const names = (cluster: string) => policiesForCluster({ policies }, cluster).map(({ name }) => name);
  expect(names('prod')).toEqual(['watched', 'here']);
  expect(names('test')).toEqual(['watched', 'elsewhere']);
  const guard = { mode: 'enforce', policies } as const;
  expect(policiesByPrecedence(guard, 'prod').map(({ name }) => name)).toEqual(['here', 'watched']);
  expect(policiesByPrecedence({ ...guard, mode: 'observe' }, 'prod').map(({ name }) => name)).toEqual([
    'watched',
    'here',
  ]);
});

it('next receivers are those of the next policy with receivers', () => {
  const policies = [
    policyOf({ name: 'a', notify: ['chat'] }),
    policyOf({ name: 'b' }),
    policyOf({ name: 'c', notify: ['pager', 'mail'] }),
  ];
  expect(escalationReceivers(policies)).toEqual({ a: ['pager', 'mail'], b: ['pager', 'mail'], c: [] });
});
