import { expect, it } from 'vitest';
import { informantFrozen } from '../../../src/alert/rules/informant-frozen.ts';
import { findings, firingIdentities, minute, situationWith, wall } from './rule-fixtures.ts';

function collected(ago: number) {
  const labels = { host_id: 'm1', category: 'cpu' };
  return situationWith({ graphdb_informant_collected_timestamp_seconds: [[labels, (wall - ago) / 1000]] });
}

it.each([
  [10 * minute, 0],
  [10 * minute + 1000, 1],
  [0, 0],
  [-5 * minute, 0],
])('informant_frozen › with values of %d ms ago: %d alerts', (ago, count) => {
  expect(firingIdentities(informantFrozen, collected(ago))).toHaveLength(count);
});

it('informant_frozen › states the age of the measurements', () => {
  expect(findings(informantFrozen, collected(61 * minute))).toEqual([
    { labels: { host_id: 'm1', category: 'cpu' }, facts: { age: '1h 1m' } },
  ]);
  expect(firingIdentities(informantFrozen, collected(2 * minute), { older_than: 60 })).toEqual(['m1 cpu']);
});
