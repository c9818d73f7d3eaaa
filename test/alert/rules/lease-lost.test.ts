import { expect, it } from 'vitest';
import { leaseLost } from '../../../src/alert/rules/lease-lost.ts';

const self = { receivers: [], stateDurable: true, stateProblem: '' };
const at = Date.UTC(2026, 8, 22, 4, 53, 20);
const now = { wall: at, mono: 0 };

it('lease_lost › does not fire without a takeover', () => {
  expect([...leaseLost.evaluate(self, {}, now)]).toEqual([]);
  expect([
    ...leaseLost.evaluate({ ...self, ownership: { different: { clusters: [], settings: [] }, unowned: [] } }, {}, now),
  ]).toEqual([]);
});

it('lease_lost › names the replica that did not renew its leases, and when another one took over', () => {
  const ownership = { unowned: [], different: { clusters: [], settings: [] }, takeover: { at, from: 'host-1' } };
  expect([...leaseLost.evaluate({ ...self, ownership }, {}, now)]).toEqual([
    { labels: {}, facts: { replica: 'host-1', when: '2026-09-22 04:53:20 UTC' }, since: at },
  ]);
});
