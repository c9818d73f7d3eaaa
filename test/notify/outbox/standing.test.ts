import { describe, expect, it } from 'vitest';
import { type Episode, newEpisode } from '../../../src/notify/outbox/episode.ts';
import { type Health, healthAtStart } from '../../../src/notify/outbox/health.ts';
import type { Lane } from '../../../src/notify/outbox/lane.ts';
import { openIn, undeliveredOf, viewOf } from '../../../src/notify/outbox/standing.ts';
import { firing } from '../delivering.ts';

const now = { wall: 1_000_000, mono: 1000 };
const about = { receiver: 'one' };
const well = healthAtStart();
const broken: Health = { ...well, result: 'broken', brokenSince: 500 };

function lane(key: string, changes: Partial<Episode> = {}): Lane {
  const to = { receiver: 'one', group: { key }, groupWait: 30_000, fallback: 'two' };
  return { key, episodes: [{ ...newEpisode(firing(key), to, 700, now), ...changes }] };
}

describe('how a receiver is doing', () => {
  it('is well where nothing is owed', () => {
    const view = { receiver: 'one', failing: false, result: '', depth: 0, parked: 0 };
    expect(viewOf({ ...about, health: well, missed: 0 }, [lane('a', { heard: 'yes' })], now)).toEqual(view);
  });

  it('tells how much is owed and since when', () => {
    const lanes = [lane('a'), lane('b', { due: 300 }), lane('c', { heard: 'yes', due: 1 })];
    expect(viewOf({ ...about, health: well, missed: 5 }, lanes, now)).toMatchObject({
      depth: 3,
      oldestDue: 300,
      failing: false,
    });
  });

  it('is failing where it is broken', () => {
    const expected = { failing: true, failingSince: 500, result: 'broken' };
    expect(viewOf({ ...about, health: broken, missed: 0 }, [], now)).toMatchObject(expected);
  });

  it('is failing while something is parked', () => {
    const lanes = [
      lane('a', { parked: { why: 'refused', at: 800 } }),
      lane('b', { parked: { why: 'refused', at: 900 } }),
    ];
    expect(viewOf({ ...about, health: well, missed: 0 }, lanes, now)).toMatchObject({
      failing: true,
      failingSince: 800,
      parked: 2,
      depth: 0,
    });
  });
});

describe('open incidents', () => {
  it('are those that have to be told, not those that are known or over', () => {
    const over = { heard: 'yes', alert: { ...firing('c'), status: 'resolved' } } as const;
    expect(openIn([lane('a'), lane('b', { heard: 'yes' }), lane('c', over), lane('d', { heard: 'maybe' })])).toBe(2);
  });
});

describe('what another has to be told', () => {
  it.each<[string, Health, Partial<Episode>, boolean]>([
    ['nothing where all is well', well, {}, false],
    ['a beginning, where it is broken', broken, {}, true],
    ['a beginning that may have arrived', broken, { heard: 'maybe' }, true],
    ['not what is known', broken, { heard: 'yes' }, false],
    ['not what is over', broken, { heard: 'maybe', alert: { ...firing('a'), status: 'resolved' } }, false],
    ['what was given up, however well it is', well, { parked: { why: 'refused', at: 0 } }, true],
  ])('is %s', (_, health, changes, expected) => {
    const to = { receiver: 'two', group: { key: 'a' }, groupWait: 0 };
    const trigger = { alert: firing('a'), again: false, to, due: 700 };
    const found = undeliveredOf(health, [lane('a', changes)], now);
    expect(found).toEqual(expected ? [{ fallback: 'two', trigger }] : []);
  });

  it('is nothing where nobody is named for it', () => {
    const [episode] = lane('a').episodes;
    if (episode === undefined) throw new Error('there is no episode');
    const { fallback, ...rest } = episode;
    expect(fallback).toBe('two');
    expect(undeliveredOf(broken, [{ key: 'a', episodes: [rest] }], now)).toEqual([]);
  });
});
