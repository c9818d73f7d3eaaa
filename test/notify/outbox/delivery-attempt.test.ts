import { expect, it } from 'vitest';
import { digestOutcomes } from '../../../src/notify/outbox/delivery-attempt.ts';
import { accepted, refused, serverError } from '../delivery-testbed.ts';

it.each([
  ['accepted', accepted, true, ['accepted']],
  ['to be repeated', serverError, false, ['unavailable']],
  ['dropped', refused, true, ['refused', 'parked']],
])('outcomes of a digest that is %s', (_, response, isFinished, expected) => {
  const outcomes = digestOutcomes(response, isFinished);
  expect(outcomes.map(({ action, result }) => `${action} ${result}`)).toEqual(expected.map((one) => `digest ${one}`));
});
