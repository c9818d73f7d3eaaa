import { expect, it } from 'vitest';
import { coverageProblem } from '../../../src/guard/decision/coverage.ts';
import { initialInstances } from '../../../src/guard/instances.ts';

const instances = initialInstances({ n1: 'RESTPP_1_1', n2: 'RESTPP_1_2', n3: 'RESTPP_1_2' });

it.each([
  ['n1', undefined],
  ['n2', 'instance'],
  ['n4', 'instance'],
])('coverage of %s, by its instance: %s', (node, expected) => {
  expect(coverageProblem(node, { sharedNodes: new Set(), instances }, 0)).toBe(expected);
});

it('coverage of a node that an earlier cluster guards is a problem whatever its instance', () => {
  const sharedNodes = new Set(['n1', 'n2']);
  expect(['n1', 'n2'].map((node) => coverageProblem(node, { sharedNodes, instances }, 0))).toEqual([
    'other_cluster',
    'other_cluster',
  ]);
});
