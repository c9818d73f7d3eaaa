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

const interval = 5000;
const at0 = recordResponse(recordRequest(initialListRateLimit, 'plain', { now: 0, interval }), {
  started: 0,
  received: 50,
});

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

  it('grows with a slow node, so that lists take at most 5 % of the time', () => {
    expect(effectiveInterval({ duration: 50 }, interval)).toBe(5000);
    expect(effectiveInterval({ duration: 1000 }, interval)).toBe(20_000);
    expect(nextRegularListAt({ ...at0, duration: 1000 }, interval, [])).toBe(20_000);
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
    expect(admittedPurpose(at0, 'fresh', { now: 2500, interval })).toBe('plain');
    expect(admittedPurpose(initialListRateLimit, 'extra', { now: 0, interval })).toBe('plain');
    expect(admittedPurpose({ ...at0, duration: 3000 }, 'fresh', { now: 2500, interval })).toBe('fresh');
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
        const counts = { plain: 0, extra: 0, fresh: 0, verify: 0 };
        for (const [pause, purpose] of listRequests) {
          now += pause;
          const admission = admittedPurpose(pace, purpose, { now, interval });
          if (admission === undefined) continue;
          counts[admission] += 1;
          pace = recordResponse(recordRequest(pace, admission, { now, interval }), { started: now, received: now });
        }
        expect(counts.plain).toBeLessThanOrEqual(now / (interval / 2));
        expect(counts.extra).toBeLessThanOrEqual(2 + now / (interval * 10));
        expect(counts.fresh + counts.verify).toBeLessThanOrEqual(12 + now / 5000);
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it('knows the duration of the latest list', () => {
    expect(recordRequest(at0, 'plain', { now: 5000, interval })).toMatchObject({
      isRequesting: true,
      requestedAt: 5000,
    });
    expect(at0).toMatchObject({ isRequesting: false, duration: 50 });
  });

  it('counts a list that another component requested', () => {
    expect(recordResponse(at0, { started: 3000, received: 3100 })).toMatchObject({ requestedAt: 3000, duration: 100 });
    expect(recordResponse(at0, { started: -5, received: 10 }).requestedAt).toBe(0);
    expect(recordResponse(initialListRateLimit, { started: 7, received: 9 })).toMatchObject({
      requestedAt: 7,
      duration: 2,
    });
  });
});

/** How many lists for a purpose there are at an instant, and what comes after. */
function drained(
  from: ListRateLimit,
  purpose: Exclude<ListPurpose, 'plain'>,
  now: number,
): readonly [number, ListPurpose | undefined] {
  let pace = from;
  for (let count = 0; ; count += 1) {
    const admission = admittedPurpose(pace, purpose, { now, interval });
    if (admission === undefined) return [count, admission];
    pace = { ...recordRequest(pace, admission, { now, interval }), requestedAt: 0 };
  }
}
