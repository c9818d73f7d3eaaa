import { expect, it } from 'vitest';
import { deliveryFailing } from '../../../src/alert/rules/delivery-failing.ts';
import type { ReceiverView } from '../../../src/model/situation.ts';
import { minute, wall } from './rule-fixtures.ts';

const well: ReceiverView = { receiver: 'chat', failing: false, result: 'accepted', depth: 0, parked: 0 };
const broken: ReceiverView = {
  receiver: 'oncall',
  failing: true,
  failingSince: wall - 6 * minute,
  result: 'broken',
  depth: 3,
  parked: 1,
};

it('delivery_failing › names the receiver that accepts no request', () => {
  const self = { receivers: [well, broken], stateDurable: true, stateProblem: '' };
  expect([...deliveryFailing.evaluate(self, {}, { wall, mono: 0 })]).toEqual([
    { labels: { receiver: 'oncall' }, facts: { result: 'broken', lasting: '6m', depth: '3', parked: '1' } },
  ]);
});
