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

function afterResponse(health: ReceiverHealth, answer: ReceiverResponse, at = now): ReceiverHealth {
  return healthAfter(health, { answer, startedAt: at.mono }, at, 1);
}

function healthOf(...answers: readonly ReceiverResponse[]): ReceiverHealth {
  return answers.reduce<ReceiverHealth>((health, answer) => afterResponse(health, answer), initialHealth());
}

describe('pause of a receiver', () => {
  it.each<[string, readonly ReceiverResponse[], number]>([
    ['is zero after an accepted request', [unreachable, accepted], Number.NEGATIVE_INFINITY],
    ['is zero after a rejected request, because the receiver works', [unreachable, refused], Number.NEGATIVE_INFINITY],
    ['is at most a second after a failure', [unreachable], 1000],
    ['grows with each failure', [unreachable, serverError, timedOut], 4000],
    ['is 30 s after a rate limit', [limited], 30_000],
    ['grows with each rate limit', [limited, limited], 60_000],
    ['is the Retry-After of the receiver', [{ ...limited, wait: 5000 }], 5000],
    ['is zero after one rejected request, because another one may be accepted', [broken], Number.NEGATIVE_INFINITY],
    ['is five minutes if the receiver rejects every request', [broken, broken], 300_000],
    ['is a second again after a rate limit', [unreachable, unreachable, limited, unreachable], 1000],
  ])('%s', (_, answers, expected) => {
    expect(healthOf(...answers).pausedUntil).toBe(now.mono + expected);
  });
});

describe('pause of a receiver for pages', () => {
  it.each<[string, readonly ReceiverResponse[], number]>([
    ['is the pause of a receiver while that is short', [unreachable], 1000],
    ['is at most 30 s from the start of the last attempt', Array.from({ length: 9 }, () => unreachable), 30_000],
    ['is at most 30 s if the receiver rejects every request', [broken, broken], 30_000],
    ['is at most 30 s after a rate limit without a time', [limited, limited, limited], 30_000],
    ['is the Retry-After of the receiver', [{ ...limited, wait: 90_000 }], 90_000],
  ])('%s', (_, answers, expected) => {
    expect(healthOf(...answers).pagesPausedUntil).toBe(now.mono + expected);
  });

  it('is over when an attempt times out after 30 s', () => {
    const health = healthAfter(initialHealth(), { answer: timedOut, startedAt: now.mono - 30_000 }, now, 1);
    expect(health).toMatchObject({ pausedUntil: now.mono + 1000, pagesPausedUntil: now.mono });
  });
});

describe('failing receiver', () => {
  it('is not one after a success or before the first attempt', () => {
    expect(failingSince(initialHealth(), 1e12)).toBeUndefined();
    expect(failingSince(healthOf(broken, accepted), 1e12)).toBeUndefined();
  });

  it('is one that rejects two requests in a row', () => {
    expect(failingSince(healthOf(broken), now.wall)).toBeUndefined();
    const first = afterResponse(healthOf(broken), broken, { wall: 5, mono: 5 });
    expect(failingSince(first, 5)).toBe(5);
    expect(failingSince(afterResponse(first, broken), now.wall)).toBe(5);
  });

  it.each([unreachable, serverError, limited])('is one that responds $kind for five minutes (case %$)', (answer) => {
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
