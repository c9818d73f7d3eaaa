import { describe, expect, it } from 'vitest';
import { nextAllowed, type Sent, withSent } from '../../../src/notify/outbox/rate.ts';
import { easy } from '../delivering.ts';

function sentAt(...times: readonly number[]): Sent {
  return times.reduce<Sent>(withSent, []);
}

describe('the pace of a receiver', () => {
  it('is free where it has no limits', () => {
    expect(nextAllowed([], easy)).toBe(Number.NEGATIVE_INFINITY);
    expect(nextAllowed(sentAt(5, 5), easy)).toBe(5);
  });

  it('leaves room between two letters', () => {
    expect(nextAllowed(sentAt(0, 500), { ...easy, spacing: 1000 })).toBe(1500);
  });

  it('counts the letters of a minute', () => {
    const limits = { ...easy, perMinute: 3 };
    expect(nextAllowed(sentAt(0, 1000), limits)).toBe(1000);
    expect(nextAllowed(sentAt(0, 1000, 2000), limits)).toBe(60_000);
    expect(nextAllowed(sentAt(0, 1000, 2000, 60_000), limits)).toBe(61_000);
  });

  it('forgets what is older', () => {
    expect(sentAt(0, 59_999)).toHaveLength(2);
    expect(sentAt(0, 60_000)).toEqual([60_000]);
  });

  it('never lets more through in any minute, however it is driven', () => {
    const limits = { ...easy, perMinute: 7, spacing: 100 };
    const times: number[] = [];
    let sent: Sent = [];
    for (let count = 0; count < 60; count += 1) {
      const at = Math.max(times.at(-1) ?? 0, nextAllowed(sent, limits));
      times.push(at);
      sent = withSent(sent, at);
    }
    for (const from of times) expect(times.filter((at) => at >= from && at < from + 60_000).length).toBeLessThan(8);
  });
});
