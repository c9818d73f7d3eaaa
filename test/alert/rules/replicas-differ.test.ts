import { expect, it } from 'vitest';
import { replicasDiffer } from '../../../src/alert/rules/replicas-differ.ts';

const now = { wall: 0, mono: 0 };

function found(clusters: readonly string[], settings: readonly string[]) {
  const ownership = { unowned: [], different: { clusters, settings } };
  const self = { receivers: [], stateDurable: true, stateProblem: '', ownership };
  return [...replicasDiffer.evaluate(self, {}, now)].map(({ facts }) => facts);
}

it('replicas_differ › does not fire without other replicas, and while all have the same configuration', () => {
  expect([...replicasDiffer.evaluate({ receivers: [], stateDurable: true, stateProblem: '' }, {}, now)]).toEqual([]);
  expect(found([], [])).toEqual([]);
});

it('replicas_differ › names the replicas and the differences, and counts those after the first five', () => {
  expect(found([], ['b'])).toEqual([{ replicas: 'b', what: 'settings' }]);
  expect(found(['b'], ['b', 'c'])).toEqual([{ replicas: 'b, c', what: 'clusters and settings' }]);
  const many = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(found(many, [])).toEqual([{ replicas: 'a, b, c, d, e and 1 more', what: 'clusters' }]);
});
