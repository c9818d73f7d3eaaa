import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, historyRows } from '../../../src/notify/outbox/delivery-attempt.ts';

describe('the history of notifications', () => {
  it.each([
    ['trigger', 'accepted', true],
    ['resolve', 'parked', true],
    ['digest', 'accepted', true],
    ['trigger', 'unavailable', false],
    ['trigger', 'limited', false],
    ['trigger', 'refused', false],
    ['refresh', 'accepted', false],
  ])('has a row for a %s that is %s: %s', (action, result, expected) => {
    const ending: AttemptOutcome = { key: 'a', episode: 3, action, result, due: 1 };
    const put = { at: 9, receiver: 'one', key: 'a', episode: 3, action, result, id: expect.any(String) };
    expect(historyRows('one', [ending], 9)).toEqual(expected ? [{ table: 'notifications', put }] : []);
  });
});
