import { describe, expect, it } from 'vitest';
import {
  boundedReason,
  failureOf,
  type IncidentAttempt,
  withAttemptRecorded,
  withPendingRecorded,
} from '../../../src/notify/outbox/delivery-progress.ts';
import { newQueuedIncident, type QueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { accepted, firing, refused, serverError } from '../delivery-testbed.ts';

function queueWith(more: Partial<QueuedIncident> = {}) {
  const to = { receiver: 'one', group: {}, groupWait: 0 };
  return { key: 'a', incidents: [{ ...newQueuedIncident(firing('a'), to, 700, { wall: 0, mono: 0 }), ...more }] };
}

const failed: IncidentAttempt = {
  episode: 1,
  action: 'trigger',
  outcome: { kind: 'lost', answered: true, chance: 0, startedAt: 0 },
  response: { ...serverError, status: 503 },
};

describe('progress of a notification', () => {
  it('begins when it is due, without an attempt', () => {
    const [incident] = withPendingRecorded(queueWith()).incidents;
    expect(incident?.progress).toEqual({ pending: { action: 'trigger', since: 700, attempts: 0 } });
  });

  it('does not change while the same notification is pending', () => {
    const queue = withPendingRecorded(queueWith());
    expect(withPendingRecorded(queue)).toBe(queue);
  });

  it('counts failed attempts and keeps the last reason', () => {
    const once = withAttemptRecorded(withPendingRecorded(queueWith()), failed, 900);
    const [incident] = withAttemptRecorded(once, failed, 901).incidents;
    expect(incident?.progress?.pending).toMatchObject({ attempts: 2, failure: { reason: '500', status: 503 } });
  });

  it('has the time of the acceptance', () => {
    const attempt = { ...failed, outcome: accepted, response: accepted };
    const [incident] = withAttemptRecorded(withPendingRecorded(queueWith()), attempt, 900).incidents;
    expect(incident?.progress).toEqual({ accepted: { action: 'trigger', at: 900 } });
  });

  it('ignores a refresh, and an attempt of a notification that another one has replaced', () => {
    const queue = withPendingRecorded(queueWith());
    for (const action of ['refresh', 'remind'] as const) {
      expect(withAttemptRecorded(queue, { ...failed, action }, 900)).toEqual(queue);
    }
  });

  it('is kept while the notification is parked', () => {
    const progress = { pending: { action: 'trigger', since: 1, attempts: 4 } } as const;
    const queue = queueWith({ parked: { why: 'refused', at: 5 }, progress });
    expect(withPendingRecorded(queue)).toBe(queue);
  });
});

describe('reason of a failure', () => {
  it('names another alert of the request if that one was rejected', () => {
    const { reason } = failureOf({ outcome: { kind: 'other_rejected' }, response: refused });
    expect(reason).toBe('another alert of the request was rejected: 400');
  });

  it('is one line of at most 300 characters', () => {
    expect(boundedReason('a\nb\u001B')).toBe('a b');
    expect(boundedReason('x'.repeat(1000))).toHaveLength(300);
  });
});
