import { describe, expect, it } from 'vitest';
import {
  budgetAvailableAt,
  cooldownUntil,
  countAttempts,
  createAttempt,
  exhaustedBudget,
  recentAttempts,
  remainingBudget,
  remainingBudgets,
  withAttemptTime,
  withWithdrawn,
} from '../../../src/guard/decision/budgets.ts';
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
  ] as const)('on %s at %d: %s is exhausted', (node, now, lacking) => {
    expect(exhaustedBudget(budgets, spent, { node, key: 'new', now })).toBe(lacking);
  });

  it('do not count a decision against itself', () => {
    expect(exhaustedBudget(budgets, spent, { node: 'n2', key: '20 n2', now: 50 })).toBeUndefined();
  });

  it('count withdrawn attempts', () => {
    expect(exhaustedBudget(budgets, withWithdrawn(spent, '0 '), { node: 'n1', key: 'new', now: 50 })).toBe('node');
  });

  it('report the remaining aborts, and the time when another one is available', () => {
    expect(remainingBudget({ max: 3, within: 100 }, spent, 50)).toBe(0);
    expect(remainingBudget({ max: 3, within: 100 }, spent, 105)).toBe(1);
    expect(budgetAvailableAt({ max: 3, within: 100 }, spent)).toBe(100);
    expect(budgetAvailableAt({ max: 2, within: 100 }, spent)).toBe(110);
    expect(budgetAvailableAt({ max: 4, within: 100 }, spent)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('report the remaining aborts of the cluster and of each node, and never a negative number', () => {
    const left = (attempts: typeof spent) =>
      remainingBudgets(budgets, attempts, ['n1', 'n2', 'n3'], 50).map((one) => [one.node, one.left, one.budget.max]);
    expect(left(spent)).toEqual([
      ['', 0, 3],
      ['n1', 0, 2],
      ['n2', 1, 2],
      ['n3', 2, 2],
    ]);
    expect(left([...spent, attemptAt(30)])[1]).toEqual(['n1', 0, 2]);
  });

  it('drop attempts outside of every limit', () => {
    expect(recentAttempts(spent, 100, 50)).toBe(spent);
    expect(recentAttempts(spent, 100, 105)).toEqual(spent.slice(1));
  });
});

describe('attempts', () => {
  it('are recorded when a decision spends budget', () => {
    expect(createAttempt(decisionOf(), 5)).toEqual(attemptAt(5, { key: decisionOf().key }));
  });

  it('count from the time of the request', () => {
    const budget = { max: 1, within: 100 };
    const one = [attemptAt(0)];
    expect(remainingBudget(budget, one, 100)).toBe(1);
    expect(remainingBudget(budget, withAttemptTime(one, '0 ', 30), 100)).toBe(0);
    expect(withAttemptTime(one, 'other', 30)).toEqual(one);
  });

  it('start the cooldown of a policy on a node for other decisions only', () => {
    const given = { policy: 'runaway', node: 'n1' };
    expect(cooldownUntil(spent, { ...given, key: 'new' }, 60)).toBe(70);
    expect(cooldownUntil(spent, { ...given, key: '10 ' }, 60)).toBe(60);
    expect(cooldownUntil(spent, { ...given, policy: 'other', key: 'new' }, 60)).toBe(Number.NEGATIVE_INFINITY);
    expect(cooldownUntil(spent, { ...given, node: 'n3', key: 'new' }, 60)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('count for the same query, unless they were withdrawn', () => {
    const target = { graph: 'fraud', query: 'ring_scan' };
    expect(countAttempts(spent, target, -1)).toBe(3);
    expect(countAttempts(spent, target, 0)).toBe(2);
    expect(countAttempts(withWithdrawn(spent, '10 '), target, -1)).toBe(2);
    expect(countAttempts(spent, { ...target, query: 'other' }, -1)).toBe(0);
    expect(countAttempts(spent, { ...target, graph: 'other' }, -1)).toBe(0);
  });
});
