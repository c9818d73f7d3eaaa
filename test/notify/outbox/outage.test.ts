import { describe, expect, it } from 'vitest';
import { isHopeless, type Outage, stillOut } from '../../../src/notify/outbox/outage.ts';
import { hour } from '../delivering.ts';

const day = 24 * hour;

describe('an outage', () => {
  it.each<[string, Outage | undefined, boolean, Outage]>([
    ['begins without an answer', undefined, false, { since: 10 }],
    ['begins with one', undefined, true, { since: 10, answeringSince: 10 }],
    ['goes on without one', { since: 1 }, false, { since: 1 }],
    ['goes on, and it answers now', { since: 1 }, true, { since: 1, answeringSince: 10 }],
    ['goes on, and it goes on answering', { since: 1, answeringSince: 2 }, true, { since: 1, answeringSince: 2 }],
    ['goes on, and it answers no more', { since: 1, answeringSince: 2 }, false, { since: 1 }],
  ])('%s', (_, before, answered, after) => {
    expect(stillOut(before, answered, 10)).toEqual(after);
  });

  it('is the same value while nothing changes, so that nothing has to be stored', () => {
    const silent: Outage = { since: 1 };
    const answering: Outage = { since: 1, answeringSince: 1 };
    expect(stillOut(silent, false, 10)).toBe(silent);
    expect(stillOut(answering, true, 10)).toBe(answering);
  });

  it.each<[Outage, number, boolean]>([
    [{ since: 0 }, day, false],
    [{ since: 0 }, 7 * day - 1, false],
    [{ since: 0 }, 7 * day, true],
    [{ since: 0, answeringSince: 0 }, day - 1, false],
    [{ since: 0, answeringSince: 0 }, day, true],
    [{ since: 0, answeringSince: hour }, day, false],
  ])('%j at %d is hopeless: %s', (outage, now, expected) => {
    expect(isHopeless(outage, now)).toBe(expected);
  });
});
