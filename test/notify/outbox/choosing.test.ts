import { describe, expect, it } from 'vitest';
import type { Severity } from '../../../src/model/alert.ts';
import type { NotifierTraits } from '../../../src/notify/notifier.ts';
import { chooseLetter } from '../../../src/notify/outbox/choosing.ts';
import { type Episode, newEpisode } from '../../../src/notify/outbox/episode.ts';
import type { Preference } from '../../../src/notify/outbox/health.ts';
import type { Lane } from '../../../src/notify/outbox/lane.ts';
import { easy, firing } from '../delivering.ts';

const now = { wall: 1_000_000, mono: 100_000 };

interface Given {
  readonly severity?: Severity;
  readonly group?: string;
  readonly failures?: number;
  readonly from?: number;
  readonly together?: number;
}

function lane(key: string, given: Given = {}, changes: Partial<Episode> = {}): Lane {
  const { severity = 'critical', group = '', failures = 0, from = now.mono, together = 1000 } = given;
  const to = { receiver: 'one', group: { group }, groupWait: 0 };
  const effort = { from, failures, detail: 'full', together } as const;
  return { key, episodes: [{ ...newEpisode(firing(key, 1, severity), to, 700, now), effort, ...changes }] };
}

/** The keys in the letter, in their order; or when to look again. */
function chosen(lanes: readonly Lane[], traits: Partial<NotifierTraits> = {}, preference: Preference = 'fresh') {
  const choice = chooseLetter(lanes, { ...easy, ...traits }, now, preference);
  return 'letter' in choice ? [...choice.attempts.keys()].join(' ') : choice.at;
}

describe('what is told next', () => {
  it.each<[string, readonly Lane[], Partial<NotifierTraits>, string | number | undefined]>([
    ['nothing where nothing is owed', [lane('a', {}, { heard: 'yes' })], {}, undefined],
    ['nothing before its time', [lane('a', { from: 100_500 }), lane('b', { from: 100_200 })], {}, 100_200],
    ['the urgent first', [lane('a', { severity: 'info' }), lane('b')], { batch: 1 }, 'b'],
    ['the older first', [lane('a'), lane('b', {}, { due: 600 })], { batch: 1 }, 'b'],
    ['all of a group', [lane('a', { group: 'x' }), lane('b', { group: 'y' }), lane('c', { group: 'x' })], {}, 'a c'],
    ['who still waits, if the group is told', [lane('a'), lane('b', { from: 200_000 })], {}, 'a b'],
    ['not who waits for a failure', [lane('a'), lane('b', { from: 200_000, failures: 1 })], {}, 'a'],
    ['as many as fit', [lane('a'), lane('b'), lane('c')], { batch: 2 }, 'a b'],
    ['as many as may be together', [lane('a', { together: 2 }), lane('b'), lane('c')], {}, 'a b'],
    ['none with one who has to be alone', [lane('a'), lane('b', { together: 1 }), lane('c')], {}, 'a'],
    ['no reminder with beginnings', [lane('a'), lane('b', {}, { heard: 'yes', again: true })], {}, 'a'],
    ['groups together, where it groups itself', [lane('a', { group: 'x' }), lane('b')], { forgets: true }, 'a b'],
    ['what would be forgotten', [lane('a', { from: 40_000 }, { heard: 'yes' })], { forgets: true }, 'a'],
    ['what would soon be forgotten as well', refreshes(40_000, 70_000, 70_001), { forgets: true }, '40000 70000'],
    ['when something will be forgotten', refreshes(50_000, 70_000), { forgets: true }, 110_000],
    ['nothing again to who does not forget', refreshes(40_000), {}, undefined],
  ])('is %s', (_, lanes, traits, expected) => {
    expect(chosen(lanes, traits)).toBe(expected);
  });

  it.each<[Preference, string]>([
    ['fresh', 'b'],
    ['tried', 'a'],
  ])('where something failed is what is %s', (preference, expected) => {
    const lanes = [lane('a', { failures: 2, severity: 'info' }), lane('b', { severity: 'warning' })];
    expect(chosen(lanes, { batch: 1 }, preference)).toBe(expected);
    expect(chosen(lanes.toReversed(), { batch: 1 }, preference)).toBe(expected);
  });
});

function refreshes(...times: readonly number[]): readonly Lane[] {
  return times.map((from) => lane(String(from), { from }, { heard: 'yes' }));
}

describe('the letter', () => {
  it('begins with the beginning, also of what is over', () => {
    const alert = { ...firing('a'), status: 'resolved', endsAt: 5000 } as const;
    const choice = chooseLetter([lane('a', {}, { heard: 'maybe', alert })], easy, now);
    expect(choice).toMatchObject({
      letter: { kind: 'alerts', again: false, alerts: [firing('a')] },
      detail: 'full',
      attempts: new Map([['a', { errand: 'trigger', episode: 1, before: 'maybe' }]]),
    });
  });

  it('is a reminder of what is known', () => {
    const reminder = chooseLetter([lane('a', {}, { heard: 'yes', again: true })], easy, now);
    expect(reminder).toMatchObject({ letter: { kind: 'alerts', again: true } });
  });
});
