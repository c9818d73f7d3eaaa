import { expect, it } from 'vitest';
import { spendingOf } from '../../../../crash/guard/oracle/budgets.ts';
import { asked, evidenceOf } from '../logs.ts';

function spending(...requests: readonly (readonly [number, string?])[]) {
  return spendingOf(evidenceOf({ calls: requests.map(([after, node], at) => asked(`id${at}`, after, node)) }));
}

it('as many as there is room for are well, and so is one more when their time is over', () => {
  const { findings, full, closest } = spending([0], [100], [5000], [5100]);
  expect(findings).toEqual([]);
  expect([full, closest]).toEqual([3, 0]);
});

it.each([
  ['on a node', [[0], [100], [4000]]],
  ['in the cluster, over several lives', [[29_000], [29_500], [30_500, 'm2'], [31_000, 'm2']]],
] as const)('one too many %s is found', (_, requests) => {
  expect(spending(...requests).findings.map(({ kind }) => kind)).toEqual(['over budget']);
});

it('what comes just when a period is over is none', () => {
  expect(spending([0], [0], [5000]).findings).toEqual([]);
  expect(spending([1], [1], [5000]).findings).toHaveLength(1);
});

it('nodes have budgets of their own', () => {
  expect(spending([0], [0], [0, 'm2']).findings).toEqual([]);
});
