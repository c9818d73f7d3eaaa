import { describe, expect, it } from 'vitest';
import {
  episodeKept,
  episodeOf,
  episodeOver,
  silenceKept,
  silenceOf,
  silenceOver,
} from '../../src/alert/episode-rows.ts';
import type { Change, Row } from '../../src/kernel/store.ts';
import { episodeAt } from './episode-of.ts';

const now = { wall: 5, mono: 6 };

function rowOf(change: Change): Row {
  return 'put' in change ? change.put : expect.fail('nothing is put');
}

describe('an episode', () => {
  it('comes back as it went, seen at the moment of coming back', () => {
    const episode = episodeAt('quick', { node: 'm"1' }, { told: { chat: 9 }, facts: { value: '1' } });
    expect(episodeOf(rowOf(episodeKept(episode)), now)).toEqual({ ...episode, seenAt: now, lastSo: now });
  });

  it.each([
    ['labels', '{"a":1}'],
    ['labels', 'no JSON'],
    ['told', '{"chat":"late"}'],
    ['severity', 'grave'],
    ['number', 0],
    ['place', ''],
    ['starts_at', null],
  ])('whose %s is %j is none', (column, value) => {
    expect(episodeOf({ ...rowOf(episodeKept(episodeAt('quick', {}))), [column]: value }, now)).toBeUndefined();
  });

  it('is dropped by its place', () => {
    expect(episodeOver(episodeAt('quick', {}))).toEqual({
      table: 'episodes',
      drop: { place: episodeAt('quick', {}).place },
    });
  });
});

describe('a silence', () => {
  const silence = { id: 's', match: { node: ['m1', 'm2'] }, startsAt: 1, endsAt: 2, author: 'me', reason: 'because' };

  it('comes back as it went', () => {
    expect(silenceOf(rowOf(silenceKept(silence)))).toEqual(silence);
    expect(silenceOver('s')).toEqual({ table: 'silences', drop: { id: 's' } });
  });

  it.each([
    ['match', '{"node":"m1"}'],
    ['ends_at', 'soon'],
    ['id', ''],
  ])('whose %s is %j is none', (column, value) => {
    expect(silenceOf({ ...rowOf(silenceKept(silence)), [column]: value })).toBeUndefined();
  });
});
