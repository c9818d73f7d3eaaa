import { describe, expect, it } from 'vitest';
import type { ReceiverView } from '../../../src/model/situation.ts';
import { deliveryMetrics } from '../../../src/notify/delivery-metrics.ts';
import { Tally } from '../../../src/notify/outbox/tally.ts';

const idle: ReceiverView = { receiver: 'one', failing: false, result: '', depth: 0, parked: 0 };

function shown(tally: Tally, view: ReceiverView = idle): ReadonlyMap<string, number> {
  return new Map(
    [...tally.samples(view)].map(({ metric, labels, part = '', value }) => {
      const { receiver, ...rest } = labels;
      expect(receiver).toBe('one');
      return [`${metric.name}${part} ${Object.values(rest).join(' ')}`.trim(), value];
    }),
  );
}

describe('what is counted', () => {
  it('begins with 0 for everything that may happen', () => {
    const samples = shown(new Tally('one'));
    const counts = [...samples].filter(([name]) => name.startsWith('graphwarden_notifications_total'));
    expect(counts).toHaveLength(35);
    expect(counts.every(([, value]) => value === 0)).toBe(true);
  });

  it('goes by what was to be told and what it came to', () => {
    const tally = new Tally('one');
    for (const result of ['unavailable', 'unavailable', 'accepted']) {
      tally.note({ key: 'a', episode: 1, action: 'trigger', result }, 0);
    }
    const samples = shown(tally);
    expect(samples.get('graphwarden_notifications_total trigger unavailable')).toBe(2);
    expect(samples.get('graphwarden_notifications_total trigger accepted')).toBe(1);
    expect(samples.get('graphwarden_notifications_total resolve accepted')).toBe(0);
  });

  it('measures how long what was due had to wait', () => {
    const tally = new Tally('one');
    const ending = { key: 'a', episode: 1, action: 'trigger', result: 'accepted' };
    tally.note({ ...ending, due: 1000 }, 1400);
    tally.note({ ...ending, due: 1000 }, 5000);
    // The wall clock was put back.
    tally.note({ ...ending, due: 9000 }, 5000);
    tally.note(ending, 5000);
    const samples = shown(tally);
    const name = 'graphwarden_notification_latency_seconds';
    expect(samples.get(`${name}_count`)).toBe(3);
    expect(samples.get(`${name}_sum`)).toBeCloseTo(4.4);
    expect(samples.get(`${name}_bucket 0.1`)).toBe(1);
    expect(samples.get(`${name}_bucket 0.5`)).toBe(2);
    expect(samples.get(`${name}_bucket +Inf`)).toBe(3);
  });

  it('shows what is owed', () => {
    const samples = shown(new Tally('one'), { ...idle, depth: 3, parked: 2, oldestDue: 5000 });
    expect(samples.get('graphwarden_outbox_depth')).toBe(3);
    expect(samples.get('graphwarden_outbox_parked')).toBe(2);
    expect(samples.get('graphwarden_outbox_oldest_timestamp_seconds')).toBe(5);
    expect(shown(new Tally('one')).has('graphwarden_outbox_oldest_timestamp_seconds')).toBe(false);
  });

  it('shows whether the receiver fails', () => {
    const of = (failing: boolean) => shown(new Tally('one'), { ...idle, failing }).get('graphwarden_receiver_failing');
    expect([true, false].map(of)).toEqual([1, 0]);
  });

  it('is declared, all of it', () => {
    const view = { ...idle, oldestDue: 5 };
    const names = new Set([...new Tally('one').samples(view)].map(({ metric }) => metric));
    expect(names).toEqual(new Set(deliveryMetrics));
  });
});
