import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admitted,
  asked,
  beatAt,
  earliestOf,
  heard,
  initialPace,
  intervalOf,
  type Pace,
  type Purpose,
} from '../../../src/guard/decision/pace.ts';

const interval = 5000;
const at0 = heard(asked(initialPace, 'plain', { now: 0, interval }), { started: 0, received: 50 });

describe('the beat', () => {
  it('begins at once, and goes on by the interval', () => {
    expect(beatAt(initialPace, interval, [])).toBe(Number.NEGATIVE_INFINITY);
    expect(beatAt(at0, interval, [])).toBe(5000);
  });

  it.each([
    [[3000], 3000],
    [[7500], 7500],
    [[7501], 5000],
    [[1000], 2500],
    [[0], 5000],
    [[9000, 6000, 7000], 6000],
  ])('moves by half of itself for deadlines at %j', (deadlines, at) => {
    expect(beatAt(at0, interval, deadlines)).toBe(at);
  });

  it('slows down with a slow node: lists take a twentieth of the time', () => {
    expect(intervalOf({ duration: 50 }, interval)).toBe(5000);
    expect(intervalOf({ duration: 1000 }, interval)).toBe(20_000);
    expect(beatAt({ ...at0, duration: 1000 }, interval, [])).toBe(20_000);
  });
});

describe('the first of times', () => {
  it('is none of none, and is found among any number of them', () => {
    expect(earliestOf([])).toBe(Number.POSITIVE_INFINITY);
    expect(earliestOf([3, 1, 2])).toBe(1);
    expect(earliestOf(Array.from({ length: 500_000 }, (_, at) => at + 7))).toBe(7);
  });
});

describe('lists between beats', () => {
  it('are plain where a beat may be as early', () => {
    expect(admitted(at0, 'fresh', { now: 2500, interval })).toBe('plain');
    expect(admitted(initialPace, 'extra', { now: 0, interval })).toBe('plain');
    expect(admitted({ ...at0, duration: 3000 }, 'fresh', { now: 2500, interval })).toBe('fresh');
  });

  it('come out of the bucket for extra ones, which a tenth of the rate fills', () => {
    expect(drained(at0, 'extra', 10)).toEqual([2, undefined]);
    const empty = { ...at0, extra: { tokens: 0, at: 10 } };
    expect(admitted({ ...empty, askedAt: 50_000 }, 'extra', { now: 50_009, interval })).toBeUndefined();
    expect(admitted({ ...empty, askedAt: 50_000 }, 'extra', { now: 50_010, interval })).toBe('extra');
  });

  it('come out of the reserve, twelve a minute, the last three of them fresh ones', () => {
    expect(drained(at0, 'fresh', 10)).toEqual([12, undefined]);
    expect(drained(at0, 'verify', 10)).toEqual([9, undefined]);
  });

  it('never are more than buckets and beats have room for', () => {
    const purposes = fc.constantFrom('extra', 'fresh', 'verify');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3000), purposes), { maxLength: 400 }), (wishes) => {
        let pace = at0;
        let now = 0;
        const counts = { plain: 0, extra: 0, fresh: 0, verify: 0 };
        for (const [pause, purpose] of wishes) {
          now += pause;
          const admission = admitted(pace, purpose, { now, interval });
          if (admission === undefined) continue;
          counts[admission] += 1;
          pace = heard(asked(pace, admission, { now, interval }), { started: now, received: now });
        }
        expect(counts.plain).toBeLessThanOrEqual(now / (interval / 2));
        expect(counts.extra).toBeLessThanOrEqual(2 + now / (interval * 10));
        expect(counts.fresh + counts.verify).toBeLessThanOrEqual(12 + now / 5000);
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it('know how long the latest took', () => {
    expect(asked(at0, 'plain', { now: 5000, interval })).toMatchObject({ isAsking: true, askedAt: 5000 });
    expect(at0).toMatchObject({ isAsking: false, duration: 50 });
  });

  it('know of a list that somebody else asked for', () => {
    expect(heard(at0, { started: 3000, received: 3100 })).toMatchObject({ askedAt: 3000, duration: 100 });
    expect(heard(at0, { started: -5, received: 10 }).askedAt).toBe(0);
    expect(heard(initialPace, { started: 7, received: 9 })).toMatchObject({ askedAt: 7, duration: 2 });
  });
});

/** How many lists for a purpose there are at an instant, and what comes after. */
function drained(from: Pace, purpose: Exclude<Purpose, 'plain'>, now: number): readonly [number, Purpose | undefined] {
  let pace = from;
  for (let count = 0; ; count += 1) {
    const admission = admitted(pace, purpose, { now, interval });
    if (admission === undefined) return [count, admission];
    pace = { ...asked(pace, admission, { now, interval }), askedAt: 0 };
  }
}
