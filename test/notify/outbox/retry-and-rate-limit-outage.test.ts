import { describe, expect, it } from 'vitest';
import { isGivenUp, type Outage, outageAfterFailure } from '../../../src/notify/outbox/retry-and-rate-limit.ts';
import { hour } from '../delivery-testbed.ts';

const day = 24 * hour;

describe('an outage', () => {
  it.each<[string, Outage | undefined, boolean, Outage]>([
    ['begins without an answer', undefined, false, { since: 10 }],
    ['begins with one', undefined, true, { since: 10, answeringSince: 10 }],
    ['goes on without one', { since: 1 }, false, { since: 1 }],
    ['goes on, and it answers now', { since: 1 }, true, { since: 1, answeringSince: 10 }],
    ['goes on, and it goes on answering', { since: 1, answeringSince: 2 }, true, { since: 1, answeringSince: 2 }],
    ['goes on, and it answers no more', { since: 1, answeringSince: 2 }, false, { since: 1 }],
    ['goes on without one, and the clock was set back', { since: 20 }, false, { since: 10 }],
    [
      'goes on answering, and the clock was set back',
      { since: 20, answeringSince: 20 },
      true,
      { since: 10, answeringSince: 10 },
    ],
    [
      'goes on, and the clock was set back after its start',
      { since: 1, answeringSince: 20 },
      true,
      { since: 1, answeringSince: 10 },
    ],
  ])('%s', (_, before, answered, after) => {
    expect(outageAfterFailure(before, answered, 10)).toEqual(after);
  });

  it('is the same object without a change, so that no row is stored', () => {
    const silent: Outage = { since: 1 };
    const answering: Outage = { since: 1, answeringSince: 1 };
    expect(outageAfterFailure(silent, false, 10)).toBe(silent);
    expect(outageAfterFailure(answering, true, 10)).toBe(answering);
  });

  it.each<[Outage, number, boolean]>([
    [{ since: 0 }, day, false],
    [{ since: 0 }, 7 * day - 1, false],
    [{ since: 0 }, 7 * day, true],
    [{ since: 0, answeringSince: 0 }, day - 1, false],
    [{ since: 0, answeringSince: 0 }, day, true],
    [{ since: 0, answeringSince: hour }, day, false],
  ])('ends for a notification %j at %d: %s', (outage, now, expected) => {
    expect(isGivenUp(outage, now)).toBe(expected);
  });
});
