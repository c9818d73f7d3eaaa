import { describe, expect, it } from 'vitest';
import type { Detail, ReceiverResponse } from '../../../src/notify/notifier.ts';
import type { AlertOutcome } from '../../../src/notify/outbox/alert-outcome.ts';
import { alertOutcome, decisiveResponse } from '../../../src/notify/outbox/delivery-attempt.ts';
import { alertsNotification, firingAlert } from '../../support/notifications.ts';
import { accepted, broken, limited, refused, serverError, unreachable } from '../delivery-testbed.ts';

describe('outcome of a response for one alert of a request', () => {
  it.each<[string, ReceiverResponse, AlertOutcome]>([
    ['is accepted', accepted, { kind: 'accepted' }],
    ['is uncertain without a response', unreachable, { kind: 'lost', answered: false, chance: 0.25, startedAt: 7 }],
    ['is uncertain after a server error', serverError, { kind: 'lost', answered: true, chance: 0.25, startedAt: 7 }],
    ['is not accepted if the receiver limits the rate', limited, { kind: 'not_accepted' }],
    ['is rejected if an operator must fix the reason', broken, { kind: 'rejected', startedAt: 7 }],
    ['may be the rejected alert', refused, { kind: 'refused', batchSize: 3 }],
    [
      'may be the rejected alert if the receiver names none',
      { ...refused, rejectedIndexes: [] },
      { kind: 'refused', batchSize: 3 },
    ],
    [
      'is the rejected alert that the receiver names',
      { ...refused, rejectedIndexes: [1] },
      { kind: 'refused', batchSize: 1 },
    ],
    [
      'is spared if the receiver names other alerts',
      { ...refused, rejectedIndexes: [0, 2] },
      { kind: 'other_rejected' },
    ],
  ])('%s', (_, answer, expected) => {
    expect(alertOutcome({ answer, startedAt: 7 }, 1, 3, 0.25)).toEqual(expected);
  });
});

describe('response that decides about a request to several peers', () => {
  const attempt = { action: 'trigger', before: 'no', episode: 1 } as const;
  const partly: ReceiverResponse = { ...refused, otherPeer: unreachable };
  const retried = { ...unreachable, message: 'refused; another peer: 400' };

  function decided(response: ReceiverResponse, detail: Detail, count: number): ReceiverResponse {
    const attempts = new Map(Array.from({ length: count }, (_, at) => [String(at), attempt]));
    const request = alertsNotification(firingAlert());
    return decisiveResponse(response, { request, detail, attempts, notifications: [] });
  }

  it('is a rejection by all peers', () => {
    expect(decided(refused, 'minimal', 1)).toBe(refused);
  });

  it('is the rejection while the request can be shortened or split', () => {
    expect(decided(partly, 'short', 1)).toBe(partly);
    expect(decided(partly, 'minimal', 2)).toBe(partly);
  });

  it('is that of the other peer for the smallest request', () => {
    expect(decided(partly, 'minimal', 1)).toEqual(retried);
    expect(decided({ ...partly, rejectedIndexes: [1] }, 'minimal', 2)).toEqual(retried);
  });
});
