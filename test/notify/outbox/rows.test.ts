import { describe, expect, it } from 'vitest';
import type { Change, Row } from '../../../src/kernel/store.ts';
import { freshEffort, newEpisode } from '../../../src/notify/outbox/episode.ts';
import type { Lane } from '../../../src/notify/outbox/lane.ts';
import {
  laneKept,
  notificationAdded,
  receiverDropped,
  type Standing,
  standingKept,
  storedOf,
} from '../../../src/notify/outbox/rows.ts';
import { firing } from '../delivering.ts';

const to = { receiver: 'one', group: { cluster_name: 'prod' }, groupWait: 500, fallback: 'two' };
const episode = newEpisode(firing('a'), to, 700, { wall: 1000, mono: 10 });
const forever = freshEffort(Number.NEGATIVE_INFINITY);

function rowOf(change: Change): Row {
  if (!('put' in change)) throw new Error('nothing was put');
  return change.put;
}

describe('a lane', () => {
  it.each<[string, Lane]>([
    ['that was never tried', { key: 'a', episodes: [episode] }],
    [
      'that is over',
      {
        key: 'a',
        episodes: [{ ...episode, heard: 'yes', over: true, endDue: 900, alert: { ...firing('a'), endsAt: 5 } }],
      },
    ],
    [
      'with troubles',
      {
        key: 'a',
        episodes: [
          { ...episode, heard: 'maybe', outage: { since: 3, answeringSince: 4 }, parked: { why: 'hopeless', at: 5 } },
          episode,
        ],
      },
    ],
  ])('%s comes back as it was, to be tried at once', (_, lane) => {
    const stored = storedOf(rowOf(laneKept('one', lane)));
    const fresh = lane.episodes.map((one) => ({ ...one, effort: forever }));
    expect(stored).toEqual({ kind: 'lane', receiver: 'one', lane: { key: 'a', episodes: fresh } });
  });

  it('in which nothing is owed is no row', () => {
    expect(laneKept('one', { key: 'a', episodes: [] })).toEqual({
      table: 'lanes',
      drop: { receiver: 'one', key: 'a' },
    });
  });
});

describe('what is remembered of a receiver', () => {
  it.each<[string, Standing]>([
    ['since when it is out', { folded: { count: 0, newest: [] }, outage: { since: 5 } }],
    [
      'what it missed',
      {
        folded: {
          count: 7,
          newest: [{ key: 'a', episode: 1, summary: 's', severity: 'info', startsAt: 1, endsAt: 2 }],
        },
      },
    ],
  ])('comes back: %s', (_, standing) => {
    expect(storedOf(rowOf(standingKept('one', standing)))).toEqual({ kind: 'standing', receiver: 'one', standing });
  });

  it('is nothing where all is well', () => {
    const drop = { receiver: 'one', key: '' };
    expect(standingKept('one', { folded: { count: 0, newest: [] } })).toEqual({ table: 'lanes', drop });
  });

  it('goes with the receiver', () => {
    expect(receiverDropped('one')).toEqual({ table: 'lanes', drop: { receiver: 'one' } });
  });
});

describe('a row that is not ours', () => {
  it.each<[string, Row]>([
    ['without columns', {}],
    ['without a receiver', { receiver: '', key: 'a', owed: '{"episodes":[]}' }],
    ['that is no JSON', { receiver: 'one', key: 'a', owed: '{' }],
    ['of another shape', { receiver: 'one', key: 'a', owed: '[]' }],
    ['with a number for a text', { receiver: 'one', key: 5, owed: '{"episodes":[]}' }],
    ['with an episode that is none', { receiver: 'one', key: 'a', owed: '{"episodes":[{}]}' }],
    ['with a standing that is none', { receiver: 'one', key: '', owed: '{"folded":{"count":-1,"newest":[]}}' }],
  ])('%s owes nothing', (_, row) => {
    expect(storedOf(row)).toBeUndefined();
  });
});

describe('the history', () => {
  it('has whole milliseconds, whatever the clock gives', () => {
    const line = { at: 5.6, receiver: 'one', key: 'a', episode: 1, action: 'trigger', result: 'accepted' };
    expect(rowOf(notificationAdded(line)).at).toBe(6);
  });

  it('has a line of its own for everything that ended', () => {
    const line = { at: 5, receiver: 'one', key: 'a', episode: 1, action: 'trigger', result: 'accepted' };
    const first = rowOf(notificationAdded(line));
    expect(first).toMatchObject(line);
    const others = [{ at: 6 }, { receiver: 'two' }, { key: 'b' }, { episode: 2 }, { action: 'resolve' }];
    const ids = others.map((other) => rowOf(notificationAdded({ ...line, ...other })).id);
    expect(new Set([first.id, ...ids]).size).toBe(6);
  });
});
