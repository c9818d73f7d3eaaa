import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/model/alert.ts';
import type { AlertOutcome } from '../../../src/notify/outbox/alert-outcome.ts';
import {
  afterAttempt,
  asFiring,
  type DeliveryState,
  initialRetryState,
  isMissed,
  markSent,
  type NotificationAction,
  newQueuedIncident,
  park,
  pendingAction,
  type QueuedIncident,
  resolveIncident,
  unpark,
} from '../../../src/notify/outbox/queued-incident.ts';
import { firing, hour } from '../delivery-testbed.ts';

const now = { wall: 1_000_000, mono: 1000 };
const over: Alert = { ...firing('a'), status: 'resolved', endsAt: 5000 };

function incident(changes: Partial<QueuedIncident> = {}): QueuedIncident {
  return { ...newQueuedIncident(firing('a'), { receiver: 'one', group: {}, groupWait: 0 }, 700, now), ...changes };
}

describe('pending action', () => {
  it.each<[string, Partial<QueuedIncident>, NotificationAction | undefined]>([
    ['a trigger before the first attempt', {}, 'trigger'],
    ['a trigger again while delivery is uncertain', { deliveryState: 'maybe' }, 'trigger'],
    ['a trigger before the end while its delivery is uncertain', { deliveryState: 'maybe', alert: over }, 'trigger'],
    ['none while the receiver knows of the incident', { deliveryState: 'yes' }, undefined],
    ['a reminder if one is due', { deliveryState: 'yes', again: true }, 'remind'],
    ['the end of a known incident', { deliveryState: 'yes', alert: over }, 'resolve'],
    ['none after an accepted end', { deliveryState: 'yes', alert: over, over: true }, undefined],
    ['none for a parked notification', { parked: { why: 'refused', at: 0 } }, undefined],
  ])('is %s', (_, changes, expected) => {
    expect(pendingAction(incident(changes))).toBe(expected);
  });
});

describe('resolved incident', () => {
  it.each<[DeliveryState, boolean]>([
    ['no', true],
    ['maybe', false],
    ['yes', false],
  ])('with delivery state %s is missed: %s', (received, expected) => {
    expect(isMissed(resolveIncident(incident({ deliveryState: received }), over, 900, now))).toBe(expected);
  });

  it('is due at its end if its trigger was accepted, otherwise at its beginning', () => {
    expect(resolveIncident(incident({ deliveryState: 'yes' }), over, 900, now)).toMatchObject({
      due: 900,
      endDue: 900,
    });
    expect(resolveIncident(incident({ deliveryState: 'maybe' }), over, 900, now)).toMatchObject({
      due: 700,
      endDue: 900,
    });
  });

  it('is retried if it was parked, without a reminder', () => {
    const parked = incident({ deliveryState: 'yes', again: true, parked: { why: 'outage', at: 5 } });
    expect(resolveIncident(parked, over, 900, now)).toMatchObject({ again: false, parked: undefined });
  });

  it('observes the group wait, except for a trigger that may be undelivered', () => {
    const known = incident({ deliveryState: 'yes', groupWait: 500 });
    expect(resolveIncident(known, over, 900, now).retry.from).toBe(1500);
    expect(resolveIncident({ ...known, deliveryState: 'maybe' }, over, 900, now).retry.from).toBe(1000);
  });

  it('is sent as firing in a trigger', () => {
    expect(asFiring(over)).toEqual(firing('a'));
  });

  it('is not missed while its trigger is in flight', () => {
    expect(isMissed(resolveIncident(markSent(incident()), over, 900, now))).toBe(false);
    expect(markSent(incident({ deliveryState: 'yes' })).deliveryState).toBe('yes');
  });
});

describe('attempt', () => {
  const lost: AlertOutcome = { kind: 'lost', answered: false, chance: 1, startedAt: now.mono };

  it.each<[string, Partial<QueuedIncident>, NotificationAction, AlertOutcome, Partial<QueuedIncident>]>([
    [
      'that is accepted as a trigger makes the incident known',
      { deliveryState: 'maybe' },
      'trigger',
      { kind: 'accepted' },
      { deliveryState: 'yes', due: 700 },
    ],
    [
      'that is accepted as a trigger of a resolved incident leaves its end pending',
      { deliveryState: 'maybe', alert: over, endDue: 900 },
      'trigger',
      { kind: 'accepted' },
      { deliveryState: 'yes', due: 900, over: false },
    ],
    [
      'that is accepted as an end finishes the incident',
      { deliveryState: 'yes', alert: over },
      'resolve',
      { kind: 'accepted' },
      { over: true },
    ],
    [
      'that is accepted as a reminder clears the reminder',
      { deliveryState: 'yes', again: true },
      'remind',
      { kind: 'accepted' },
      { again: false },
    ],
    [
      'that is accepted as a refresh changes nothing',
      { deliveryState: 'yes' },
      'refresh',
      { kind: 'accepted' },
      { deliveryState: 'yes', over: false },
    ],
    [
      'that is lost leaves the delivery uncertain',
      { deliveryState: 'maybe' },
      'trigger',
      lost,
      { deliveryState: 'maybe' },
    ],
    [
      'that is not accepted leaves the incident unknown',
      { deliveryState: 'maybe' },
      'trigger',
      { kind: 'not_accepted' },
      { deliveryState: 'no' },
    ],
    [
      'that is not accepted leaves the end pending',
      { deliveryState: 'yes', alert: over },
      'resolve',
      { kind: 'not_accepted' },
      { deliveryState: 'yes' },
    ],
    [
      'that is spared leaves the delivery uncertain',
      { deliveryState: 'maybe' },
      'trigger',
      { kind: 'other_rejected' },
      { deliveryState: 'maybe' },
    ],
    [
      'that is rejected together with others leaves the delivery uncertain',
      { deliveryState: 'maybe' },
      'trigger',
      { kind: 'refused', batchSize: 3 },
      { deliveryState: 'maybe' },
    ],
    [
      'that is rejected alone leaves the incident unknown',
      { deliveryState: 'maybe' },
      'trigger',
      { kind: 'refused', batchSize: 1 },
      { deliveryState: 'no' },
    ],
  ])('%s', (...[, changes, action, verdict, expected]) => {
    expect(afterAttempt(incident(changes), { action, before: 'no' }, verdict, now)).toMatchObject(expected);
  });

  it('after a rejection is retried in smaller requests, then with less detail, then parked', () => {
    const many = afterAttempt(
      incident({ deliveryState: 'maybe' }),
      { action: 'trigger', before: 'no' },
      { kind: 'refused', batchSize: 5 },
      now,
    );
    expect(many.retry).toMatchObject({ maxBatch: 3, detail: 'full' });
    const alone: AlertOutcome = { kind: 'refused', batchSize: 1 };
    const short = afterAttempt(many, { action: 'trigger', before: 'no' }, alone, now);
    const minimal = afterAttempt(short, { action: 'trigger', before: 'no' }, alone, now);
    const none = afterAttempt(minimal, { action: 'trigger', before: 'no' }, alone, now);
    expect([short.retry.detail, minimal.retry.detail]).toEqual(['short', 'minimal']);
    expect(none.parked).toEqual({ why: 'refused', at: now.wall });
    expect(unpark(none, now)).toMatchObject({ parked: undefined, retry: initialRetryState(now.mono) });
  });

  it('after a loss is retried with exponential backoff, then parked', () => {
    const first = afterAttempt(incident({ deliveryState: 'maybe' }), { action: 'trigger', before: 'no' }, lost, now);
    const second = afterAttempt(first, { action: 'trigger', before: 'maybe' }, lost, now);
    expect([first.retry.from, second.retry.from]).toEqual([2000, 3000]);
    const muchLater = { wall: now.wall + 7 * 24 * hour, mono: 0 };
    expect(afterAttempt(second, { action: 'trigger', before: 'maybe' }, lost, muchLater).parked).toEqual({
      why: 'outage',
      at: muchLater.wall,
    });
  });

  it.each([
    ['critical', 30_000],
    ['warning', 300_000],
  ] as const)('that is rejected is repeated later, soonest for a page (%s)', (severity, wait) => {
    const verdict: AlertOutcome = { kind: 'rejected', startedAt: now.mono };
    const known = incident({ alert: firing('a', 1, severity), deliveryState: 'maybe' });
    const { deliveryState, retry } = afterAttempt(known, { action: 'trigger', before: 'no' }, verdict, now);
    expect(deliveryState).toBe('no');
    expect(retry).toMatchObject({ from: now.mono + wait, failures: 1, rejectedSince: now.wall });
  });

  it('of a page that is lost is repeated within 30 s of its start', () => {
    const late = { ...lost, startedAt: now.mono - 20_000 };
    const tired = { ...initialRetryState(0), failures: 9 };
    const page = incident({ deliveryState: 'maybe', retry: tired });
    const warning = { ...page, alert: firing('a', 1, 'warning') };
    const next = [page, warning].map((one) => afterAttempt(one, { action: 'trigger', before: 'no' }, late, now));
    expect(next.map(({ retry }) => retry.from)).toEqual([now.mono + 10_000, now.mono + 300_000]);
  });

  it('that succeeds resets the backoff', () => {
    const failed = afterAttempt(incident({ deliveryState: 'maybe' }), { action: 'trigger', before: 'no' }, lost, now);
    const better = afterAttempt(failed, { action: 'trigger', before: 'no' }, { kind: 'accepted' }, now);
    expect(better).toMatchObject({ outage: undefined, retry: initialRetryState(now.mono) });
  });

  it.each(['remind', 'refresh'] as const)('with a rejected %s does not park the incident', (action) => {
    const known = incident({ deliveryState: 'yes', again: true });
    expect(park(known, action, 'refused', now)).toMatchObject({ deliveryState: 'yes', again: false });
    expect(park(known, action, 'refused', now).parked).toBeUndefined();
  });

  it('with a lost refresh does not change the incident', () => {
    const known = incident({ deliveryState: 'yes' });
    expect(afterAttempt(known, { action: 'refresh', before: 'yes' }, lost, now)).toBe(known);
  });
});
