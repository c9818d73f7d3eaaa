import { describe, expect, it } from 'vitest';
import {
  attemptOf,
  freeAt,
  lackingBudget,
  recent,
  remainingOf,
  restUntil,
  sentFrom,
  triesOf,
  withdrawnFrom,
} from '../../../src/guard/decision/attempts.ts';
import { attemptAt, decisionOf } from './decisions.ts';

const budgets = { perNode: { max: 2, within: 100 }, perCluster: { max: 3, within: 100 } };
const spent = [attemptAt(0), attemptAt(10), attemptAt(20, { node: 'n2' })];

describe('budgets', () => {
  it.each([
    ['n1', 50, 'node'],
    ['n2', 50, 'cluster'],
    ['n2', 100, undefined],
    ['n1', 100, undefined],
    ['n1', 99, 'node'],
  ] as const)('on %s at %d: %s is lacking', (node, now, lacking) => {
    expect(lackingBudget(budgets, spent, { node, key: 'new', now })).toBe(lacking);
  });

  it('does not count an attempt against itself', () => {
    expect(lackingBudget(budgets, spent, { node: 'n2', key: '20 n2', now: 50 })).toBeUndefined();
  });

  it('counts what was withdrawn: it stays spent', () => {
    expect(lackingBudget(budgets, withdrawnFrom(spent, '0 '), { node: 'n1', key: 'new', now: 50 })).toBe('node');
  });

  it('tells what is left, and when there is more', () => {
    expect(remainingOf({ max: 3, within: 100 }, spent, 50)).toBe(0);
    expect(remainingOf({ max: 3, within: 100 }, spent, 105)).toBe(1);
    expect(freeAt({ max: 3, within: 100 }, spent)).toBe(100);
    expect(freeAt({ max: 2, within: 100 }, spent)).toBe(110);
    expect(freeAt({ max: 4, within: 100 }, spent)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('forgets what is too long ago for anything', () => {
    expect(recent(spent, 100, 50)).toBe(spent);
    expect(recent(spent, 100, 105)).toEqual(spent.slice(1));
  });
});

describe('attempts', () => {
  it('are what a decision spends', () => {
    expect(attemptOf(decisionOf(), 5)).toEqual(attemptAt(5, { key: decisionOf().key }));
  });

  it('count from when their call left', () => {
    const budget = { max: 1, within: 100 };
    const one = [attemptAt(0)];
    expect(remainingOf(budget, one, 100)).toBe(1);
    expect(remainingOf(budget, sentFrom(one, '0 ', 30), 100)).toBe(0);
    expect(sentFrom(one, 'other', 30)).toEqual(one);
  });

  it('give a policy rest on a node, not from themselves', () => {
    const given = { policy: 'runaway', node: 'n1' };
    expect(restUntil(spent, { ...given, key: 'new' }, 60)).toBe(70);
    expect(restUntil(spent, { ...given, key: '10 ' }, 60)).toBe(60);
    expect(restUntil(spent, { ...given, policy: 'other', key: 'new' }, 60)).toBe(Number.NEGATIVE_INFINITY);
    expect(restUntil(spent, { ...given, node: 'n3', key: 'new' }, 60)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('count for one query, unless they were withdrawn', () => {
    const target = { graph: 'fraud', query: 'ring_scan' };
    expect(triesOf(spent, target, -1)).toBe(3);
    expect(triesOf(spent, target, 0)).toBe(2);
    expect(triesOf(withdrawnFrom(spent, '10 '), target, -1)).toBe(2);
    expect(triesOf(spent, { ...target, query: 'other' }, -1)).toBe(0);
    expect(triesOf(spent, { ...target, graph: 'other' }, -1)).toBe(0);
  });
});
