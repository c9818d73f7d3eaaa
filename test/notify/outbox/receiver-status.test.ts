import { describe, expect, it } from 'vitest';
import type { AlertQueue } from '../../../src/notify/outbox/alert-queue.ts';
import { newQueuedIncident, type QueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { initialHealth, type ReceiverHealth } from '../../../src/notify/outbox/receiver-health.ts';
import { openIncidentCount, receiverView, undeliveredTriggers } from '../../../src/notify/outbox/receiver-status.ts';
import { firing } from '../delivery-testbed.ts';

const now = { wall: 1_000_000, mono: 1000 };
const about = { receiver: 'one', allowedAt: Number.NEGATIVE_INFINITY };
const well = initialHealth();
const broken: ReceiverHealth = { ...well, result: 'broken', brokenSince: 500 };

function queue(key: string, changes: Partial<QueuedIncident> = {}): AlertQueue {
  const to = { receiver: 'one', group: { key }, groupWait: 30_000, fallback: 'two' };
  return { key, incidents: [{ ...newQueuedIncident(firing(key), to, 700, now), ...changes }] };
}

describe('receiver status', () => {
  it('is healthy without pending notifications', () => {
    const view = { receiver: 'one', failing: false, result: '', depth: 0, parked: 0 };
    expect(receiverView({ ...about, health: well, missed: 0 }, [queue('a', { deliveryState: 'yes' })], now)).toEqual(
      view,
    );
  });

  it('has the number of pending notifications and the due time of the oldest', () => {
    const queues = [queue('a'), queue('b', { due: 300 }), queue('c', { deliveryState: 'yes', due: 1 })];
    expect(receiverView({ ...about, health: well, missed: 5 }, queues, now)).toMatchObject({
      depth: 3,
      oldestDue: 300,
      failing: false,
    });
  });

  it('is failing if the receiver is broken', () => {
    const expected = { failing: true, failingSince: 500, result: 'broken' };
    expect(receiverView({ ...about, health: broken, missed: 0 }, [], now)).toMatchObject(expected);
  });

  it('is failing while a notification is parked', () => {
    const queues = [
      queue('a', { parked: { why: 'refused', at: 800 } }),
      queue('b', { parked: { why: 'refused', at: 900 } }),
    ];
    expect(receiverView({ ...about, health: well, missed: 0 }, queues, now)).toMatchObject({
      failing: true,
      failingSince: 800,
      parked: 2,
      depth: 0,
    });
  });

  it('has the reason of the last failed request while the receiver accepts none', () => {
    const failing = { ...broken, failure: { reason: 'status 404' } };
    const view = receiverView({ ...about, health: failing, missed: 0 }, [queue('a')], now);
    expect(view).toMatchObject({ reason: 'status 404' });
    expect(view).not.toHaveProperty('rejected');
  });

  it('has the reason and the number of rejected notifications while the receiver accepts others', () => {
    const pending = { action: 'trigger', since: 700, attempts: 3, failure: { reason: 'status 400' } } as const;
    const rejected = queue('b', { parked: { why: 'refused', at: 800 }, progress: { pending } });
    const view = receiverView(
      { ...about, health: { ...well, result: 'accepted' }, missed: 0 },
      [queue('a'), rejected],
      now,
    );
    expect(view).toMatchObject({ reason: 'status 400', rejected: 1 });
  });
});

describe('open incidents', () => {
  it('are those with a pending notification, not accepted or resolved ones', () => {
    const over = { deliveryState: 'yes', alert: { ...firing('c'), status: 'resolved' } } as const;
    expect(
      openIncidentCount([
        queue('a'),
        queue('b', { deliveryState: 'yes' }),
        queue('c', over),
        queue('d', { deliveryState: 'maybe' }),
      ]),
    ).toBe(2);
  });
});

describe('undelivered triggers', () => {
  it.each<[string, ReceiverHealth, Partial<QueuedIncident>, boolean]>([
    ['no trigger of a healthy receiver', well, {}, false],
    ['a trigger of a broken receiver', broken, {}, true],
    ['a trigger whose delivery is uncertain', broken, { deliveryState: 'maybe' }, true],
    ['no trigger that the receiver accepted', broken, { deliveryState: 'yes' }, false],
    [
      'no trigger of a resolved incident',
      broken,
      { deliveryState: 'maybe', alert: { ...firing('a'), status: 'resolved' } },
      false,
    ],
    ['a parked trigger, also of a healthy receiver', well, { parked: { why: 'refused', at: 0 } }, true],
  ])('contain %s', (_, health, changes, expected) => {
    const to = { receiver: 'two', group: { key: 'a' }, groupWait: 0 };
    const trigger = { alert: firing('a'), again: false, to, due: 700 };
    const found = undeliveredTriggers(health, [queue('a', changes)], now);
    expect(found).toEqual(expected ? [{ fallback: 'two', trigger }] : []);
  });

  it('are empty without a fallback receiver', () => {
    const [incident] = queue('a').incidents;
    if (incident === undefined) throw new Error('there is no incident');
    const { fallback, ...rest } = incident;
    expect(fallback).toBe('two');
    expect(undeliveredTriggers(broken, [{ key: 'a', incidents: [rest] }], now)).toEqual([]);
  });
});
