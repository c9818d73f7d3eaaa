import { describe, expect, it } from 'vitest';
import type { ReceiverResponse } from '../../../src/notify/notifier.ts';
import {
  deliveryResultOf,
  failingSince,
  healthAfter,
  initialHealth,
  isLongOutage,
  type ReceiverHealth,
} from '../../../src/notify/outbox/receiver-health.ts';
import { accepted, broken, limited, refused, serverError, unreachable } from '../delivery-testbed.ts';

const now = { wall: 1_000_000, mono: 1000 };
const timedOut: ReceiverResponse = { kind: 'unavailable', answered: false, timedOut: true, message: '' };

function healthOf(...answers: readonly ReceiverResponse[]): ReceiverHealth {
  return answers.reduce<ReceiverHealth>((health, answer) => healthAfter(health, answer, now, 1), initialHealth());
}

describe('pause of a receiver', () => {
  it.each<[string, readonly ReceiverResponse[], number]>([
    ['is zero after an accepted request', [unreachable, accepted], Number.NEGATIVE_INFINITY],
    ['is zero after a rejected request, because the receiver works', [unreachable, refused], Number.NEGATIVE_INFINITY],
    ['is at most a second after a failure', [unreachable], 1000],
    ['grows with each failure', [unreachable, serverError, timedOut], 4000],
    ['is 30 s after a rate limit', [limited], 30_000],
    ['grows with each rate limit', [limited, limited], 60_000],
    ['is the time that the receiver asks for', [{ ...limited, wait: 5000 }], 5000],
    ['is five minutes if the receiver is broken', [broken], 300_000],
    ['is a second again after a rate limit', [unreachable, unreachable, limited, unreachable], 1000],
  ])('%s', (_, answers, expected) => {
    expect(healthOf(...answers).pausedUntil).toBe(now.mono + expected);
  });
});

describe('failing receiver', () => {
  it('is not one after a success or before the first attempt', () => {
    expect(failingSince(initialHealth(), 1e12)).toBeUndefined();
    expect(failingSince(healthOf(broken, accepted), 1e12)).toBeUndefined();
  });

  it('is a broken one at once', () => {
    const first = healthAfter(initialHealth(), broken, { wall: 5, mono: 5 }, 1);
    expect(failingSince(first, 5)).toBe(5);
    expect(failingSince(healthAfter(first, broken, now, 1), now.wall)).toBe(5);
  });

  it.each([unreachable, serverError, limited])('is one that responds $kind for five minutes', (answer) => {
    expect(failingSince(healthOf(answer), now.wall + 299_999)).toBeUndefined();
    expect(failingSince(healthOf(answer), now.wall + 300_000)).toBe(now.wall);
  });
});

describe('long outage', () => {
  it('is more than 15 minutes, also across restarts', () => {
    const health = healthOf(unreachable);
    expect(isLongOutage(health, now.wall + 900_000)).toBe(false);
    expect(isLongOutage(health, now.wall + 900_001)).toBe(true);
    expect(isLongOutage(initialHealth(health.outage), now.wall + 900_001)).toBe(true);
    expect(isLongOutage(initialHealth(), now.wall)).toBe(false);
  });
});

describe('result label', () => {
  it.each<[ReceiverResponse, string]>([
    [accepted, 'accepted'],
    [limited, 'limited'],
    [unreachable, 'unavailable'],
    [timedOut, 'timeout'],
    [broken, 'broken'],
    [refused, 'refused'],
  ])('of %j is %s', (answer, expected) => {
    expect(deliveryResultOf(answer)).toBe(expected);
    expect(healthOf(answer).result).toBe(expected);
  });
});
