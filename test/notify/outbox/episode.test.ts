import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/model/alert.ts';
import {
  type Episode,
  type Errand,
  ended,
  firingForm,
  freshEffort,
  givenUp,
  type Heard,
  isFolded,
  newEpisode,
  onItsWay,
  owedOf,
  settled,
  unparked,
  type Verdict,
} from '../../../src/notify/outbox/episode.ts';
import { firing, hour } from '../delivering.ts';

const now = { wall: 1_000_000, mono: 1000 };
const over: Alert = { ...firing('a'), status: 'resolved', endsAt: 5000 };

function episode(changes: Partial<Episode> = {}): Episode {
  return { ...newEpisode(firing('a'), { receiver: 'one', group: {}, groupWait: 0 }, 700, now), ...changes };
}

describe('what is owed', () => {
  it.each<[string, Partial<Episode>, Errand | undefined]>([
    ['the beginning, where nobody heard of it', {}, 'trigger'],
    ['the beginning again, where it may have been heard', { heard: 'maybe' }, 'trigger'],
    ['the beginning before the end, where it may have been heard', { heard: 'maybe', alert: over }, 'trigger'],
    ['nothing while it is known', { heard: 'yes' }, undefined],
    ['a reminder', { heard: 'yes', again: true }, 'remind'],
    ['the end', { heard: 'yes', alert: over }, 'resolve'],
    ['nothing after the end', { heard: 'yes', alert: over, over: true }, undefined],
    ['nothing that was given up', { parked: { why: 'refused', at: 0 } }, undefined],
  ])('is %s', (_, changes, expected) => {
    expect(owedOf(episode(changes))).toBe(expected);
  });
});

describe('an episode that ends', () => {
  it.each<[Heard, boolean]>([
    ['no', true],
    ['maybe', false],
    ['yes', false],
  ])('where it was heard: %s, is folded: %s', (heard, expected) => {
    expect(isFolded(ended(episode({ heard }), over, 900, now))).toBe(expected);
  });

  it('is due then where its beginning is known, and keeps the due time of its beginning elsewhere', () => {
    expect(ended(episode({ heard: 'yes' }), over, 900, now)).toMatchObject({ due: 900, endDue: 900 });
    expect(ended(episode({ heard: 'maybe' }), over, 900, now)).toMatchObject({ due: 700, endDue: 900 });
  });

  it('is tried anew where it was given up, and reminds of nothing', () => {
    const parked = episode({ heard: 'yes', again: true, parked: { why: 'hopeless', at: 5 } });
    expect(ended(parked, over, 900, now)).toMatchObject({ again: false, parked: undefined });
  });

  it('waits as its group does, but not with what should have been said long ago', () => {
    const known = episode({ heard: 'yes', groupWait: 500 });
    expect(ended(known, over, 900, now).effort.from).toBe(1500);
    expect(ended({ ...known, heard: 'maybe' }, over, 900, now).effort.from).toBe(1000);
  });

  it('is told from its beginning, without its end', () => {
    expect(firingForm(over)).toEqual(firing('a'));
  });

  it('is not folded while it is on its way', () => {
    expect(isFolded(ended(onItsWay(episode()), over, 900, now))).toBe(false);
    expect(onItsWay(episode({ heard: 'yes' })).heard).toBe('yes');
  });
});

describe('what becomes of an attempt', () => {
  const lost: Verdict = { kind: 'lost', answered: false, chance: 1 };

  it.each<[string, Partial<Episode>, Errand, Verdict, Partial<Episode>]>([
    ['an accepted beginning is known', { heard: 'maybe' }, 'trigger', { kind: 'accepted' }, { heard: 'yes', due: 700 }],
    [
      'an accepted beginning of what is over leaves the end owed',
      { heard: 'maybe', alert: over, endDue: 900 },
      'trigger',
      { kind: 'accepted' },
      { heard: 'yes', due: 900, over: false },
    ],
    ['an accepted end is the end', { heard: 'yes', alert: over }, 'resolve', { kind: 'accepted' }, { over: true }],
    ['an accepted reminder is done', { heard: 'yes', again: true }, 'remind', { kind: 'accepted' }, { again: false }],
    ['a refresh changes nothing', { heard: 'yes' }, 'refresh', { kind: 'accepted' }, { heard: 'yes', over: false }],
    ['a lost beginning may be known', { heard: 'maybe' }, 'trigger', lost, { heard: 'maybe' }],
    [
      'a beginning that was not taken is not known',
      { heard: 'maybe' },
      'trigger',
      { kind: 'untaken' },
      { heard: 'no' },
    ],
    [
      'an end that was not taken is still owed',
      { heard: 'yes', alert: over },
      'resolve',
      { kind: 'untaken' },
      { heard: 'yes' },
    ],
    ['one that was spared may be known', { heard: 'maybe' }, 'trigger', { kind: 'spared' }, { heard: 'maybe' }],
    [
      'of several refused each may be known',
      { heard: 'maybe' },
      'trigger',
      { kind: 'refused', letter: 3 },
      { heard: 'maybe' },
    ],
    [
      'one alone that was refused is not known',
      { heard: 'maybe' },
      'trigger',
      { kind: 'refused', letter: 1 },
      { heard: 'no' },
    ],
  ])('%s', (...[, changes, errand, verdict, expected]) => {
    expect(settled(episode(changes), { errand, before: 'no' }, verdict, now)).toMatchObject(expected);
  });

  it('is tried in smaller letters, then in fewer words, then no more', () => {
    const many = settled(
      episode({ heard: 'maybe' }),
      { errand: 'trigger', before: 'no' },
      { kind: 'refused', letter: 5 },
      now,
    );
    expect(many.effort).toMatchObject({ together: 3, detail: 'full' });
    const alone: Verdict = { kind: 'refused', letter: 1 };
    const short = settled(many, { errand: 'trigger', before: 'no' }, alone, now);
    const minimal = settled(short, { errand: 'trigger', before: 'no' }, alone, now);
    const none = settled(minimal, { errand: 'trigger', before: 'no' }, alone, now);
    expect([short.effort.detail, minimal.effort.detail]).toEqual(['short', 'minimal']);
    expect(none.parked).toEqual({ why: 'refused', at: now.wall });
    expect(unparked(none, now)).toMatchObject({ parked: undefined, effort: freshEffort(now.mono) });
  });

  it('is tried later and later where it is lost, and given up at last', () => {
    const first = settled(episode({ heard: 'maybe' }), { errand: 'trigger', before: 'no' }, lost, now);
    const second = settled(first, { errand: 'trigger', before: 'maybe' }, lost, now);
    expect([first.effort.from, second.effort.from]).toEqual([2000, 3000]);
    const muchLater = { wall: now.wall + 7 * 24 * hour, mono: 0 };
    expect(settled(second, { errand: 'trigger', before: 'maybe' }, lost, muchLater).parked).toEqual({
      why: 'hopeless',
      at: muchLater.wall,
    });
  });

  it('forgets a failure with the next success', () => {
    const failed = settled(episode({ heard: 'maybe' }), { errand: 'trigger', before: 'no' }, lost, now);
    const better = settled(failed, { errand: 'trigger', before: 'no' }, { kind: 'accepted' }, now);
    expect(better).toMatchObject({ outage: undefined, effort: freshEffort(now.mono) });
  });

  it.each(['remind', 'refresh'] as const)('gives up no more than the %s itself', (errand) => {
    const known = episode({ heard: 'yes', again: true });
    expect(givenUp(known, errand, 'refused', now)).toMatchObject({ heard: 'yes', again: false });
    expect(givenUp(known, errand, 'refused', now).parked).toBeUndefined();
  });

  it('takes no notice of a refresh that is lost', () => {
    const known = episode({ heard: 'yes' });
    expect(settled(known, { errand: 'refresh', before: 'yes' }, lost, now)).toBe(known);
  });
});
