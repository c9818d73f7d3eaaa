import { describe, expect, it } from 'vitest';
import type { ReceiverView } from '../../src/model/situation.ts';
import { DeliveryCounters, deliveryMetrics } from '../../src/notify/delivery-metrics.ts';
import { deliveryResults } from '../../src/notify/notifier.ts';
import { countedActions } from '../../src/notify/outbox/delivery-attempt.ts';

const idle: ReceiverView = { receiver: 'one', failing: false, result: '', depth: 0, parked: 0 };

function shown(tally: DeliveryCounters, view: ReceiverView = idle): ReadonlyMap<string, number> {
  return new Map(
    [...tally.samples(view)].map(({ metric, labels, part = '', value }) => {
      const { receiver, ...rest } = labels;
      expect(receiver).toBe('one');
      return [`${metric.name}${part} ${Object.values(rest).join(' ')}`.trim(), value];
    }),
  );
}

describe('delivery metrics', () => {
  it('start with 0 for every action and result', () => {
    const samples = shown(new DeliveryCounters('one'));
    const counts = [...samples].filter(([name]) => name.startsWith('graphwarden_notifications_total'));
    expect(counts).toHaveLength(countedActions.length * deliveryResults.length);
    expect(counts.every(([, value]) => value === 0)).toBe(true);
  });

  it('count attempts by action and result', () => {
    const tally = new DeliveryCounters('one');
    for (const result of ['unavailable', 'unavailable', 'accepted'] as const) {
      tally.record({ key: 'a', episode: 1, action: 'trigger', result }, 0);
    }
    for (const action of countedActions) tally.record({ key: 'a', episode: 1, action, result: 'limited' }, 0);
    const samples = shown(tally);
    expect(samples.get('graphwarden_notifications_total trigger unavailable')).toBe(2);
    expect(samples.get('graphwarden_notifications_total trigger accepted')).toBe(1);
    expect(samples.get('graphwarden_notifications_total resolve accepted')).toBe(0);
    for (const action of countedActions)
      expect(samples.get(`graphwarden_notifications_total ${action} limited`)).toBe(1);
  });

  it('measure the time from the due time until acceptance', () => {
    const tally = new DeliveryCounters('one');
    const ending = { key: 'a', episode: 1, action: 'trigger', result: 'accepted' } as const;
    tally.record({ ...ending, due: 1000 }, 1400);
    tally.record({ ...ending, due: 1000 }, 5000);
    // The wall clock went back.
    tally.record({ ...ending, due: 9000 }, 5000);
    tally.record(ending, 5000);
    const samples = shown(tally);
    const name = 'graphwarden_notification_latency_seconds';
    expect(samples.get(`${name}_count`)).toBe(3);
    expect(samples.get(`${name}_sum`)).toBeCloseTo(4.4);
    expect(samples.get(`${name}_bucket 0.1`)).toBe(1);
    expect(samples.get(`${name}_bucket 0.5`)).toBe(2);
    expect(samples.get(`${name}_bucket +Inf`)).toBe(3);
  });

  it('contain the pending notifications', () => {
    const samples = shown(new DeliveryCounters('one'), { ...idle, depth: 3, parked: 2, oldestDue: 5000 });
    expect(samples.get('graphwarden_outbox_depth')).toBe(3);
    expect(samples.get('graphwarden_outbox_parked')).toBe(2);
    expect(samples.get('graphwarden_outbox_oldest_timestamp_seconds')).toBe(5);
    expect(shown(new DeliveryCounters('one')).has('graphwarden_outbox_oldest_timestamp_seconds')).toBe(false);
  });

  it('contain whether the receiver fails', () => {
    const of = (failing: boolean) =>
      shown(new DeliveryCounters('one'), { ...idle, failing }).get('graphwarden_receiver_failing');
    expect([true, false].map(of)).toEqual([1, 0]);
  });

  it('are all declared', () => {
    const view = { ...idle, oldestDue: 5 };
    const names = new Set([...new DeliveryCounters('one').samples(view)].map(({ metric }) => metric));
    expect(names).toEqual(new Set(deliveryMetrics));
  });
});
