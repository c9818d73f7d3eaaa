import { expect, it } from 'vitest';
import { noOwner } from '../../../src/alert/rules/no-owner.ts';

const self = { receivers: [], stateDurable: true, stateProblem: '' };
const now = { wall: 0, mono: 0 };

it('no_owner › does not fire without other replicas, or while each cluster has an owner', () => {
  expect([...noOwner.evaluate(self, {}, now)]).toEqual([]);
  expect([
    ...noOwner.evaluate({ ...self, ownership: { different: { clusters: [], settings: [] }, unowned: [] } }, {}, now),
  ]).toEqual([]);
});

it('no_owner › names the clusters, and counts those after the first five', () => {
  const unowned = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const found = (clusters: readonly string[]) => [
    ...noOwner.evaluate(
      { ...self, ownership: { different: { clusters: [], settings: [] }, unowned: clusters } },
      {},
      now,
    ),
  ];
  expect(found(['a'])).toEqual([{ labels: {}, facts: { clusters: 'a' } }]);
  expect(found(unowned)).toEqual([{ labels: {}, facts: { clusters: 'a, b, c, d, e and 2 more clusters' } }]);
});
