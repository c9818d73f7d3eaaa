import { expect, it } from 'vitest';
import { evaluateBudgets } from '../../../../../campaigns/crash/guard/oracle/budgets.ts';
import { abortRequest, evidenceOf } from '../logs.ts';

function spending(...requests: readonly (readonly [number, string?])[]) {
  return evaluateBudgets(
    evidenceOf({ calls: requests.map(([after, node], at) => abortRequest(`id${at}`, after, node)) }),
  );
}

it('budget oracle › accepts as many aborts as the budget allows, and one more after the window', () => {
  const { findings, delayed, minDelay } = spending([0], [100], [5000], [5100]);
  expect(findings).toEqual([]);
  expect([delayed, minDelay]).toEqual([3, 0]);
});

it.each([
  ['on a node', [[0], [100], [4000]]],
  ['in the cluster, over several runs', [[29_000], [29_500], [30_500, 'm2'], [31_000, 'm2']]],
] as const)('budget oracle › reports one abort too many %s', (_, requests) => {
  expect(spending(...requests).findings.map(({ kind }) => kind)).toEqual(['over budget']);
});

it('budget oracle › accepts an abort exactly at the end of the window', () => {
  expect(spending([0], [0], [5000]).findings).toEqual([]);
  expect(spending([1], [1], [5000]).findings).toHaveLength(1);
});

it('budget oracle › counts the budget of each node separately', () => {
  expect(spending([0], [0], [0, 'm2']).findings).toEqual([]);
});
