import { describe, expect, it } from 'vitest';
import { StoredTrends, Trends } from '../../src/alert/trends.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';

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
  it('is the change per second of a series on a straight line', () => {
    const falling = seen([1000, 700, 400, 100, -200, -500, -800]);
    expect(falling.slope('free', m1)).toBeCloseTo(-1, 10);
    expect(falling.slope('free', { mount_point: '/', host_id: 'm1' })).toBeCloseTo(-1, 10);
  });

  it('is the slope of the regression line of a series that rises and falls', () => {
    expect(seen([0, 310, 590, 920, 1180, 1520, 1790]).slope('free', m1)).toBeCloseTo(1, 1);
    expect(seen([5, 5, 5, 5, 5, 5, 5]).slope('free', m1)).toBe(0);
  });

  it('is undefined before half an hour, and for an unknown series', () => {
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

describe('storage of samples', () => {
  it('is due every five minutes', () => {
    const trends = new Trends();
    expect(trends.isDue('free', { wall: 0, mono: 7 })).toBe(true);
    trends.record(new Map([['free', [{ labels: m1, value: 1 }]]]), { wall: 0, mono: 7 });
    expect(trends.isDue('free', { wall: 0, mono: 7 + 5 * minutes - 1 })).toBe(false);
    expect(trends.isDue('free', { wall: 0, mono: 7 + 5 * minutes })).toBe(true);
  });

  it('is due at once until the family has a sample, and at the interval after its samples disappear', () => {
    const trends = new Trends();
    trends.record(new Map([['free', []]]), { wall: 0, mono: 7 });
    expect(trends.isDue('free', { wall: 0, mono: 8 })).toBe(true);
    trends.record(new Map([['free', [{ labels: m1, value: 1 }]]]), { wall: 0, mono: 8 });
    trends.record(new Map([['free', []]]), { wall: 0, mono: 8 + 5 * minutes });
    expect(trends.isDue('free', { wall: 0, mono: 9 + 5 * minutes })).toBe(false);
  });

  it('is due for each family separately', () => {
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

  it('stores a bounded number of series', () => {
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

  it('is stored with the lowest value', () => {
    const trends = seen([5, 9, 9, 2, 4]);
    expect(trends.minimum('free', m1, at(20))).toBe(2);
    expect(trends.minimum('free', { host_id: 'm2' }, at(20))).toBeUndefined();
  });

  it('ignores values before the last hour', () => {
    const trends = seen([9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2]);
    expect(trends.maximum('free', m1, at(60))).toBe(9);
    expect(trends.maximum('free', m1, at(61))).toBe(3);
    expect(trends.maximum('free', m1, at(126))).toBeUndefined();
  });

  it('is defined after the first sample', () => {
    expect(seen([7]).maximum('free', m1, at(0))).toBe(7);
  });
});

it('the lowest value of the last hour is that of its samples, also after a rise', () => {
  const trends = seen([1, 2, 2, 5]);
  const at = (minute: number) => ({ wall: 0, mono: minute * minutes });
  expect([15, 60, 61, 70].map((minute) => trends.minimum('free', m1, at(minute)))).toEqual([1, 1, 2, 2]);
  expect([trends.minimum('used', m1, at(15)), trends.minimum('free', m1, at(80))]).toEqual([undefined, undefined]);
});

const hour = 60 * minutes;
const at = (wall: number, mono = wall) => ({ wall, mono });
const values = (value: number) => new Map([['free', [{ labels: m1, value }]]]);

describe('trends in the store', () => {
  /** Trends of a process that recorded 5, and of the one after it, whose monotonic clock starts again. */
  async function restarted(stopped: number) {
    const store = memoryStore();
    new StoredTrends(store).record('prod', values(5), at(hour));
    const next = new StoredTrends(store);
    const now = at(hour + stopped, 1000);
    await next.restore(['prod', 'other'], now);
    return { store, next, now };
  }

  it('survive a restart, so that a change during it is a change of the last hour', async () => {
    const { next, now } = await restarted(10 * minutes);
    expect(next.of('prod').minimum('free', m1, now)).toBe(5);
    expect(next.of('other').minimum('free', m1, now)).toBeUndefined();
    const later = at(now.wall + 51 * minutes, now.mono + 51 * minutes);
    expect(next.of('prod').minimum('free', m1, later)).toBeUndefined();
  });

  it.each([61 * minutes, -minutes])('are not restored %i ms later', async (stopped) => {
    const { next, now } = await restarted(stopped);
    expect(next.of('prod').maximum('free', m1, now)).toBeUndefined();
  });

  it('are kept for an hour, and as long as the cluster is configured', async () => {
    const { store, next, now } = await restarted(10 * minutes);
    const times = async () => {
      const found = await store.find({ table: 'trend_samples', order: ['at'] });
      return found.ok ? found.value.map((row) => row.at) : [];
    };
    next.record('prod', values(6), at(now.wall + 30 * minutes));
    expect(await times()).toEqual([hour, hour + 40 * minutes]);
    next.record('prod', values(7), at(now.wall + 55 * minutes));
    expect(await times()).toEqual([hour + 40 * minutes, hour + 65 * minutes]);
    next.record('prod', new Map([['free', []]]), at(now.wall + 56 * minutes));
    expect(await times()).toHaveLength(2);
    next.forget('prod');
    expect(await times()).toEqual([]);
  });

  it.each(['', '{', '7', '[["free",7]]', '[["free",[[{"a":1},2]]]]'])('ignore the stored text %j', async (samples) => {
    const store = memoryStore();
    await store.commit([{ table: 'trend_samples', put: { cluster: 'prod', at: 1000, samples } }]);
    const trends = new StoredTrends(store);
    await trends.restore(['prod'], at(2000));
    expect(trends.of('prod').minimum('free', m1, at(2000))).toBeUndefined();
  });

  it('are not read for a cluster that has some', async () => {
    const { next, now } = await restarted(10 * minutes);
    await next.restore(['prod'], now);
    expect(next.of('prod').slope('free', m1)).toBeUndefined();
  });
});
