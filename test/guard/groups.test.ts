import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/guard/candidate.ts';
import { findMatchingGroups, groupKeyOf, type MatchingGroups } from '../../src/guard/groups.ts';
import type { GroupCondition } from '../../src/guard/policy.ts';
import { bound, candidate, policyOf } from './match-inputs.ts';
import { at } from './observations.ts';

const before: MatchingGroups = new Map();

function held(
  group: GroupCondition,
  members: readonly Candidate[],
  more: Partial<Parameters<typeof findMatchingGroups>[1]> = {},
) {
  return findMatchingGroups(
    { name: 'p', group },
    { members, listedAt: at(0).mono, before, isComplete: true, incompleteNodes: new Set(), ...more },
  );
}

const crowd = [
  candidate({ node: 'n1', age: 60_000 }),
  candidate({ node: 'n1', age: 90_000 }),
  candidate({ node: 'n2', age: 300_000 }),
  candidate({ node: 'n2', age: 30_000, url: '/query/fraud/other' }),
  candidate({ node: 'n2', age: 30_000, url: '/query/sandbox/ring_scan' }),
];

describe('group of a candidate', () => {
  it.each([
    [['node'], 'p\0n1'],
    [['node', 'graph', 'query'], 'p\0n1\0fraud\0ring_scan'],
    [['query', 'graph'], 'p\0ring_scan\0fraud'],
    [[], 'p'],
  ] as const)('by %j is %s', (by, expected) => {
    expect(groupKeyOf({ name: 'p', group: { by } }, candidate())).toBe(expected);
  });

  it('is its node if the policy has no group condition', () => {
    expect(groupKeyOf(policyOf(), candidate({ node: 'n7' }))).toBe('runaway\0n7');
  });
});

describe('group condition', () => {
  it.each<[string, GroupCondition, readonly string[]]>([
    ['at least two on a node', { by: ['node'], count: bound('>= 2') }, ['p\0n1', 'p\0n2']],
    ['at least three', { by: ['node'], count: bound('> 2') }, ['p\0n2']],
    ['three calls in the cluster', { by: ['graph', 'query'], count: bound('>= 3') }, ['p\0fraud\0ring_scan']],
    ['all queries', { by: [], count: bound('>= 5') }, ['p']],
    ['more than all queries', { by: [], count: bound('> 5') }, []],
    ['with an old query', { by: ['node'], oldest: bound('> 299999') }, ['p\0n2']],
    ['with a query that is not old enough', { by: ['node'], oldest: bound('< 90001') }, ['p\0n1']],
    ['with old queries only', { by: ['node'], youngest: bound('>= 60000') }, ['p\0n1']],
    ['with a young query', { by: ['node'], youngest: bound('<= 30000') }, ['p\0n2']],
    ['few queries, one of them old', { by: ['node'], count: bound('<= 2'), oldest: bound('> 90000') }, []],
    [
      'all conditions',
      { by: ['node'], count: bound('>= 2'), oldest: bound('< 100000'), youngest: bound('> 1') },
      ['p\0n1'],
    ],
  ])('%s holds', (_, group, expected) => {
    expect([...held(group, crowd).keys()]).toEqual(expected);
  });

  it.each<[string, GroupCondition, boolean]>([
    ['with a minimum count', { by: ['graph'], count: bound('>= 4') }, true],
    ['with a maximum count', { by: ['graph'], count: bound('<= 4') }, false],
    ['with an old query', { by: ['graph'], oldest: bound('> 100') }, true],
    ['without old queries', { by: ['graph'], oldest: bound('< 400000') }, false],
    ['with a young query', { by: ['graph'], youngest: bound('<= 30000') }, true],
    ['without young queries', { by: ['graph'], youngest: bound('> 100') }, false],
    ['without young queries on its node', { by: ['graph', 'node'], youngest: bound('> 100') }, true],
  ])('%s is evaluated if some nodes have no list', (_, group, expected) => {
    expect(held(group, crowd, { isComplete: false }).size > 0).toBe(expected);
    expect(held(group, crowd).size > 0).toBe(true);
  });

  it.each<[string, GroupCondition, readonly string[]]>([
    ['with a minimum count', { by: ['node'], count: bound('>= 2') }, ['p\0n1', 'p\0n2']],
    ['with a maximum count', { by: ['node'], count: bound('<= 4') }, ['p\0n2']],
    ['without old queries', { by: ['node'], oldest: bound('< 400000') }, ['p\0n2']],
    ['without young queries', { by: ['node'], youngest: bound('> 100') }, ['p\0n2']],
  ])('%s is evaluated on a node of which an entry is skipped', (_, group, expected) => {
    expect([...held(group, crowd, { incompleteNodes: new Set(['n1']), isComplete: false }).keys()]).toEqual(expected);
  });

  it('uses the end of the age range that prevents the abort', () => {
    const members = [candidate({ age: { least: 100, most: 110 } }), candidate({ age: { least: 105, most: 106 } })];
    const isHeld = (group: Omit<GroupCondition, 'by'>) => held({ by: [], ...group }, members).size === 1;
    expect([isHeld({ oldest: bound('>= 105') }), isHeld({ oldest: bound('>= 106') })]).toEqual([true, false]);
    expect([isHeld({ oldest: bound('<= 110') }), isHeld({ oldest: bound('<= 109') })]).toEqual([true, false]);
    expect([isHeld({ youngest: bound('>= 100') }), isHeld({ youngest: bound('>= 101') })]).toEqual([true, false]);
    expect([isHeld({ youngest: bound('<= 106') }), isHeld({ youngest: bound('<= 105') })]).toEqual([true, false]);
  });

  it('supports more members than a function takes arguments', () => {
    const one = candidate();
    const members = Array.from({ length: 300_000 }, (_, age) => ({ ...one, age: { least: age, most: age } }));
    expect(held({ by: [], oldest: bound('>= 299999'), youngest: bound('<= 0') }, members).size).toBe(1);
  });

  it('compares ages of all members at one time', () => {
    const members = [candidate({ age: 100, seen: -50 }), candidate({ age: 140 })];
    expect(held({ by: [], youngest: bound('>= 140') }, members).size).toBe(1);
    expect(held({ by: [], oldest: bound('>= 151') }, members).size).toBe(0);
    expect(held({ by: [], oldest: bound('>= 151') }, members, { listedAt: at(1).mono }).size).toBe(1);
  });

  it('holds since the first list that shows it', () => {
    const group: GroupCondition = { by: ['node'], count: bound('>= 2') };
    const first = held(group, crowd);
    expect([...first.values()]).toEqual([at(0).mono, at(0).mono]);
    const second = held(group, crowd.slice(2), { listedAt: at(5000).mono, before: first });
    expect([...second]).toEqual([['p\0n2', at(0).mono]]);
    const third = held(group, crowd, { listedAt: at(9000).mono, before: second });
    expect([...third.values()]).toEqual([at(9000).mono, at(0).mono]);
  });
});
