import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/notify/notifier.ts';
import {
  failingSince,
  type Health,
  healthAfter,
  healthAtStart,
  isAway,
  resultOf,
} from '../../../src/notify/outbox/health.ts';
import { accepted, broken, limited, refused, serverError, unreachable } from '../delivering.ts';

const now = { wall: 1_000_000, mono: 1000 };
const timedOut: Answer = { kind: 'unavailable', answered: false, timedOut: true, message: '' };

function healthOf(...answers: readonly Answer[]): Health {
  return answers.reduce<Health>((health, answer) => healthAfter(health, answer, now, 1), healthAtStart());
}

describe('how long a receiver is left alone', () => {
  it.each<[string, readonly Answer[], number]>([
    ['not after an acceptance', [unreachable, accepted], Number.NEGATIVE_INFINITY],
    ['not after a refusal: it works', [unreachable, refused], Number.NEGATIVE_INFINITY],
    ['a second after a failure', [unreachable], 1000],
    ['longer after more of them', [unreachable, serverError, timedOut], 4000],
    ['30 s after a limit', [limited], 30_000],
    ['longer after more of them', [limited, limited], 60_000],
    ['as long as it says', [{ ...limited, wait: 5000 }], 5000],
    ['five minutes where it is broken', [broken], 300_000],
    ['again a second after a limit', [unreachable, unreachable, limited, unreachable], 1000],
  ])('%s', (_, answers, expected) => {
    expect(healthOf(...answers).pausedUntil).toBe(now.mono + expected);
  });
});

describe('when it counts as failing', () => {
  it('is not after a success, and not before the first attempt', () => {
    expect(failingSince(healthAtStart(), 1e12)).toBeUndefined();
    expect(failingSince(healthOf(broken, accepted), 1e12)).toBeUndefined();
  });

  it('is at once where it is broken, from the first time', () => {
    const first = healthAfter(healthAtStart(), broken, { wall: 5, mono: 5 }, 1);
    expect(failingSince(first, 5)).toBe(5);
    expect(failingSince(healthAfter(first, broken, now, 1), now.wall)).toBe(5);
  });

  it.each([unreachable, serverError, limited])('is after five minutes of $kind', (answer) => {
    expect(failingSince(healthOf(answer), now.wall + 299_999)).toBeUndefined();
    expect(failingSince(healthOf(answer), now.wall + 300_000)).toBe(now.wall);
  });
});

describe('when it has been away', () => {
  it('takes more than 15 minutes, through restarts', () => {
    const health = healthOf(unreachable);
    expect(isAway(health, now.wall + 900_000)).toBe(false);
    expect(isAway(health, now.wall + 900_001)).toBe(true);
    expect(isAway(healthAtStart(health.outage), now.wall + 900_001)).toBe(true);
    expect(isAway(healthAtStart(), now.wall)).toBe(false);
  });
});

describe('the word for an answer', () => {
  it.each<[Answer, string]>([
    [accepted, 'accepted'],
    [limited, 'limited'],
    [unreachable, 'unavailable'],
    [timedOut, 'timeout'],
    [broken, 'broken'],
    [refused, 'refused'],
  ])('of %j is %s', (answer, expected) => {
    expect(resultOf(answer)).toBe(expected);
    expect(healthOf(answer).result).toBe(expected);
  });
});
