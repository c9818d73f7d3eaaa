import { describe, expect, it } from 'vitest';
import type { ReceiverResponse } from '../../../src/notify/notifier.ts';
import { alertOutcome } from '../../../src/notify/outbox/delivery-attempt.ts';
import type { AlertOutcome } from '../../../src/notify/outbox/queued-incident.ts';
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
