import { describe, expect, it } from 'vitest';
import { nextAllowed, type SentTimes, withSent } from '../../../src/notify/outbox/retry-and-rate-limit.ts';
import { unlimited } from '../delivery-testbed.ts';

function sentAt(...times: readonly number[]): SentTimes {
  return times.reduce<SentTimes>(withSent, []);
}

describe('rate limit', () => {
  it('allows every request without limits', () => {
    expect(nextAllowed([], unlimited)).toBe(Number.NEGATIVE_INFINITY);
    expect(nextAllowed(sentAt(5, 5), unlimited)).toBe(5);
  });

  it('keeps the minimum interval between two requests', () => {
    expect(nextAllowed(sentAt(0, 500), { ...unlimited, minInterval: 1000 })).toBe(1500);
  });

  it('counts the requests of the last minute', () => {
    const limits = { ...unlimited, maxPerMinute: 3 };
    expect(nextAllowed(sentAt(0, 1000), limits)).toBe(1000);
    expect(nextAllowed(sentAt(0, 1000, 2000), limits)).toBe(60_000);
    expect(nextAllowed(sentAt(0, 1000, 2000, 60_000), limits)).toBe(61_000);
  });

  it('does not count requests that are older than a minute', () => {
    expect(sentAt(0, 59_999)).toHaveLength(2);
    expect(sentAt(0, 60_000)).toEqual([60_000]);
  });

  it('never allows more requests in any minute', () => {
    const limits = { ...unlimited, maxPerMinute: 7, spacing: 100 };
    const times: number[] = [];
    let sent: SentTimes = [];
    for (let count = 0; count < 60; count += 1) {
      const at = Math.max(times.at(-1) ?? 0, nextAllowed(sent, limits));
      times.push(at);
      sent = withSent(sent, at);
    }
    for (const from of times) expect(times.filter((at) => at >= from && at < from + 60_000).length).toBeLessThan(8);
  });
});
