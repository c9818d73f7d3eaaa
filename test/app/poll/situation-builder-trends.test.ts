import { describe, expect, it } from 'vitest';
import { Trends } from '../../../src/app/poll/situation-builder.ts';

const minutes = 60_000;
const m1 = { host_id: 'm1', mount_point: '/' };

/** Trends that have seen a series with these values, five minutes apart. */
function seen(values: readonly number[], labels: Readonly<Record<string, string>> = m1) {
  const trends = new Trends();
  values.forEach((value, at) => {
    trends.record(new Map([['free', [{ labels, value }]]]), { wall: 0, mono: at * 5 * minutes });
  });
  return trends;
}

describe('a trend', () => {
  it('is the change a second of what went up or down in a straight line', () => {
    const falling = seen([1000, 700, 400, 100, -200, -500, -800]);
    expect(falling.slope('free', m1)).toBeCloseTo(-1, 10);
    expect(falling.slope('free', { mount_point: '/', host_id: 'm1' })).toBeCloseTo(-1, 10);
  });

  it('is the line through what went up and down', () => {
    expect(seen([0, 310, 590, 920, 1180, 1520, 1790]).slope('free', m1)).toBeCloseTo(1, 1);
    expect(seen([5, 5, 5, 5, 5, 5, 5]).slope('free', m1)).toBe(0);
  });

  it('is not known after less than half an hour, and of what was never seen', () => {
    expect(seen([6, 5, 4, 3, 2, 1]).slope('free', m1)).toBeUndefined();
    expect(seen([7, 6, 5, 4, 3, 2, 1]).slope('free', { host_id: 'm2' })).toBeUndefined();
    expect(seen([7, 6, 5, 4, 3, 2, 1]).slope('used', m1)).toBeUndefined();
  });

  it('follows the last six hours alone', () => {
    const rising = Array.from({ length: 100 }, (_, at) => at * 300);
    const falling = Array.from({ length: 72 }, (_, at) => 30_000 - at * 300);
    expect(seen([...rising, ...falling]).slope('free', m1)).toBeCloseTo(-1, 10);
  });
});

describe('noting', () => {
  it('is due every five minutes', () => {
    const trends = new Trends();
    expect(trends.isDue('free', { wall: 0, mono: 7 })).toBe(true);
    trends.record(new Map([['free', [{ labels: m1, value: 1 }]]]), { wall: 0, mono: 7 });
    expect(trends.isDue('free', { wall: 0, mono: 7 + 5 * minutes - 1 })).toBe(false);
    expect(trends.isDue('free', { wall: 0, mono: 7 + 5 * minutes })).toBe(true);
  });

  it('is due at once until there is something to note, and waits again when that is gone', () => {
    const trends = new Trends();
    trends.record(new Map([['free', []]]), { wall: 0, mono: 7 });
    expect(trends.isDue('free', { wall: 0, mono: 8 })).toBe(true);
    trends.record(new Map([['free', [{ labels: m1, value: 1 }]]]), { wall: 0, mono: 8 });
    trends.record(new Map([['free', []]]), { wall: 0, mono: 8 + 5 * minutes });
    expect(trends.isDue('free', { wall: 0, mono: 9 + 5 * minutes })).toBe(false);
  });

  it('is due for each family by itself', () => {
    const trends = new Trends();
    trends.record(new Map([['free', [{ labels: m1, value: 1 }]]]), { wall: 0, mono: 7 });
    expect(trends.isDue('used', { wall: 0, mono: 8 })).toBe(true);
    expect(trends.isDue('free', { wall: 0, mono: 8 })).toBe(false);
  });

  it('survives missing poll results, and forgets series that do not return', () => {
    const trends = seen([7, 6, 5, 4, 3, 2, 1]);
    trends.record(new Map(), { wall: 0, mono: 300 * minutes });
    expect(trends.slope('free', m1)).toBeDefined();
    trends.record(new Map(), { wall: 0, mono: 400 * minutes });
    expect(trends.slope('free', m1)).toBeUndefined();
  });

  it('follows a bounded number of series', () => {
    const trends = new Trends();
    const facts = Array.from({ length: 6000 }, (_, at) => ({ labels: { at: String(at) }, value: at }));
    for (let round = 0; round < 7; round += 1)
      trends.record(new Map([['free', facts]]), { wall: 0, mono: round * 5 * minutes });
    expect(trends.slope('free', { at: '4999' })).toBe(0);
    expect(trends.slope('free', { at: '5000' })).toBeUndefined();
  });
});

describe('the highest value of the last hour', () => {
  const at = (minute: number) => ({ wall: 0, mono: minute * minutes });

  it('is that of its samples, also after a drop', () => {
    const trends = seen([5, 9, 9, 0, 0]);
    expect(trends.maximum('free', m1, at(20))).toBe(9);
    expect(trends.maximum('free', { host_id: 'm2' }, at(20))).toBeUndefined();
    expect(trends.maximum('used', m1, at(20))).toBeUndefined();
  });

  it('has the lowest value beside it', () => {
    const trends = seen([5, 9, 9, 2, 4]);
    expect(trends.minimum('free', m1, at(20))).toBe(2);
    expect(trends.minimum('free', { host_id: 'm2' }, at(20))).toBeUndefined();
  });

  it('forgets what was before the hour', () => {
    const trends = seen([9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2]);
    expect(trends.maximum('free', m1, at(60))).toBe(9);
    expect(trends.maximum('free', m1, at(61))).toBe(3);
    expect(trends.maximum('free', m1, at(126))).toBeUndefined();
  });

  it('is known after the first sample', () => {
    expect(seen([7]).maximum('free', m1, at(0))).toBe(7);
  });
});

it('the lowest value of the last hour is that of its samples, also after a rise', () => {
  const trends = seen([1, 2, 2, 5]);
  const at = (minute: number) => ({ wall: 0, mono: minute * minutes });
  expect([15, 60, 61, 70].map((minute) => trends.minimum('free', m1, at(minute)))).toEqual([1, 1, 2, 2]);
  expect([trends.minimum('used', m1, at(15)), trends.minimum('free', m1, at(80))]).toEqual([undefined, undefined]);
});
