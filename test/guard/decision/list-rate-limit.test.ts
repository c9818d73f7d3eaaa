import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admittedPurpose,
  earliestTime,
  effectiveInterval,
  initialListRateLimit,
  type ListPurpose,
  type ListRateLimit,
  nextRegularListAt,
  recordRequest,
  recordResponse,
} from '../../../src/guard/decision/list-rate-limit.ts';
import { maxListTime } from '../../../src/model/list-time-share.ts';

const interval = 5000;
const at0 = recordResponse(recordRequest(initialListRateLimit, 'regular', { now: 0, interval }), {
  started: 0,
  received: 50,
  interval,
});
/** As after `at0`, but lists have used up their server time. */
const spent = recordResponse({ ...at0, time: { left: 0, at: 0 } }, { started: 0, received: 1000, interval });

describe('list interval', () => {
  it('starts at once and repeats', () => {
    expect(nextRegularListAt(initialListRateLimit, interval, [])).toBe(Number.NEGATIVE_INFINITY);
    expect(nextRegularListAt(at0, interval, [])).toBe(5000);
  });

  it.each([
    [[3000], 3000],
    [[7500], 7500],
    [[7501], 5000],
    [[1000], 2500],
    [[0], 5000],
    [[9000, 6000, 7000], 6000],
  ])('shifts by at most half its length to meet deadlines at %j', (deadlines, at) => {
    expect(nextRegularListAt(at0, interval, deadlines)).toBe(at);
  });

  it('stays the same after one slow list', () => {
    const slow = recordResponse(at0, { started: 0, received: 4900, interval });
    expect(effectiveInterval(slow, interval)).toBe(5000);
    expect(nextRegularListAt(slow, interval, [3000])).toBe(3000);
  });

  it('grows when lists have used up their server time, up to 30 s', () => {
    expect(effectiveInterval(spent, interval)).toBe(20_000);
    expect(nextRegularListAt(spent, interval, [])).toBe(20_000);
    const slower = recordResponse(spent, { started: 1000, received: 5000, interval });
    expect(nextRegularListAt(slower, interval, [])).toBe(31_000);
  });

  it('does not shift to a deadline before lists have server time left', () => {
    expect(nextRegularListAt(spent, interval, [12_000])).toBe(20_000);
    expect(nextRegularListAt(spent, interval, [25_000])).toBe(25_000);
  });

  it('counts the time of the server if it is known', () => {
    const { time, duration } = recordResponse(at0, { started: 0, received: 3000, listTime: 700, interval });
    expect([maxListTime - time.left, duration]).toEqual([700, 3000]);
  });

  it('does not count time beyond the interval, for which this process was stopped', () => {
    const { time } = recordResponse(at0, { started: 0, received: 600_000, interval });
    expect(time).toEqual({ left: maxListTime - interval, at: 600_000 });
  });
});

describe('earliest time', () => {
  it('is undefined without times, and the minimum otherwise', () => {
    expect(earliestTime([])).toBe(Number.POSITIVE_INFINITY);
    expect(earliestTime([3, 1, 2])).toBe(1);
    expect(earliestTime(Array.from({ length: 500_000 }, (_, at) => at + 7))).toBe(7);
  });
});

describe('list rate limit', () => {
  it('counts a request as regular if a regular list is due', () => {
    expect(admittedPurpose(at0, 'fresh', { now: 2500, interval })).toBe('regular');
    expect(admittedPurpose(initialListRateLimit, 'extra', { now: 0, interval })).toBe('regular');
    expect(admittedPurpose(spent, 'fresh', { now: 19_999, interval })).toBe('fresh');
    expect(admittedPurpose(spent, 'fresh', { now: 20_000, interval })).toBe('regular');
  });

  it('rejects extra lists while lists have no server time left', () => {
    expect(admittedPurpose(spent, 'extra', { now: 19_999, interval })).toBeUndefined();
    expect(admittedPurpose(spent, 'verify', { now: 19_999, interval })).toBe('verify');
  });

  it('uses the bucket of extra lists, which refills at a tenth of the rate', () => {
    expect(drained(at0, 'extra', 10)).toEqual([2, undefined]);
    const empty = { ...at0, extra: { tokens: 0, at: 10 } };
    expect(admittedPurpose({ ...empty, requestedAt: 50_000 }, 'extra', { now: 50_009, interval })).toBeUndefined();
    expect(admittedPurpose({ ...empty, requestedAt: 50_000 }, 'extra', { now: 50_010, interval })).toBe('extra');
  });

  it('has a reserve of twelve lists per minute, three of them for fresh lists', () => {
    expect(drained(at0, 'fresh', 10)).toEqual([12, undefined]);
    expect(drained(at0, 'verify', 10)).toEqual([9, undefined]);
  });

  it('is not exceeded', () => {
    const purposes = fc.constantFrom('extra', 'fresh', 'verify');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3000), purposes), { maxLength: 400 }), (listRequests) => {
        let pace = at0;
        let now = 0;
        const counts = { regular: 0, extra: 0, fresh: 0, verify: 0 };
        for (const [pause, purpose] of listRequests) {
          now += pause;
          const admission = admittedPurpose(pace, purpose, { now, interval });
          if (admission === undefined) continue;
          counts[admission] += 1;
          pace = recordResponse(recordRequest(pace, admission, { now, interval }), {
            started: now,
            received: now,
            interval,
          });
        }
        expect(counts.regular).toBeLessThanOrEqual(now / (interval / 2));
        expect(counts.extra).toBeLessThanOrEqual(2 + now / (interval * 10));
        expect(counts.fresh + counts.verify).toBeLessThanOrEqual(12 + now / 5000);
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it('has the duration of the latest list', () => {
    expect(recordRequest(at0, 'regular', { now: 5000, interval })).toMatchObject({
      isRequesting: true,
      requestedAt: 5000,
    });
    expect(at0).toMatchObject({ isRequesting: false, duration: 50 });
  });

  it('counts a list that another component requested', () => {
    const other = recordResponse(at0, { started: 3000, received: 3100, interval });
    expect(other).toMatchObject({ requestedAt: 3000, duration: 100 });
    expect(recordResponse(at0, { started: -5, received: 10, interval }).requestedAt).toBe(0);
    expect(recordResponse(initialListRateLimit, { started: 7, received: 9, interval })).toMatchObject({
      requestedAt: 7,
      duration: 2,
    });
  });
});

/** How many lists for a purpose there are at an instant, and what comes after. */
function drained(
  from: ListRateLimit,
  purpose: Exclude<ListPurpose, 'regular'>,
  now: number,
): readonly [number, ListPurpose | undefined] {
  let pace = from;
  for (let count = 0; ; count += 1) {
    const admission = admittedPurpose(pace, purpose, { now, interval });
    if (admission === undefined) return [count, admission];
    pace = { ...recordRequest(pace, admission, { now, interval }), requestedAt: 0 };
  }
}
