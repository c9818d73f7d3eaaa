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
    {
      labels: { receiver: 'oncall' },
      facts: {
        failure: 'has accepted no notification for 6m (result: broken)',
        result: 'broken',
        lasting: '6m',
        depth: '3',
        parked: '1',
      },
    },
  ]);
});

it.each([
  [
    { reason: 'the receiver replied with status 404' },
    'has accepted no notification for 6m: the receiver replied with status 404',
  ],
  [{ reason: 'status 400', rejected: 1, result: 'accepted' }, 'has rejected a notification 6m ago: status 400'],
  [
    { reason: 'status 400', rejected: 3, result: 'accepted' },
    'has rejected 3 notifications, the first one 6m ago: status 400',
  ],
])('delivery_failing › states why a receiver fails: $1', (changes, failure) => {
  const self = { receivers: [{ ...broken, ...changes }], stateDurable: true, stateProblem: '' };
  expect([...deliveryFailing.evaluate(self, {}, { wall, mono: 0 })]).toMatchObject([{ facts: { failure } }]);
});

it('delivery_failing › names the recipient that a receiver rejects although it accepts others', () => {
  const partial = { ...broken, result: 'partial', rejectedRecipient: 'the mail server rejected gone@b (550 no)' };
  const self = { receivers: [partial], stateDurable: true, stateProblem: '' };
  expect([...deliveryFailing.evaluate(self, {}, { wall, mono: 0 })]).toMatchObject([
    { facts: { failure: 'has not reached all of its recipients for 6m: the mail server rejected gone@b (550 no)' } },
  ]);
});
