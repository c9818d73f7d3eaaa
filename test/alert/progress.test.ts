import { describe, expect, it } from 'vitest';
import { nothingKnown } from '../../src/alert/episode.ts';
import { judgeCluster } from '../../src/alert/judgement.ts';
import { progress } from '../../src/alert/progress.ts';
import { digest } from '../../src/runtime/digest.ts';
import { ruleOf, settingsOf, situationOf, type Wrong } from './alerting-bed.ts';
import { episodeAt } from './episode-of.ts';

const now = { wall: 1_790_000_000_500, mono: 90_000 };
const rules = [
  ruleOf('quick'),
  ruleOf('slow', { hold: 60_000 }),
  ruleOf('urgent', { severity: 'critical' }),
  ruleOf('service_not_online'),
  ruleOf('service_flapping'),
];

function moved(wrong: Wrong, state = nothingKnown) {
  const enabled = rules.map((rule) => ({ rule, settings: settingsOf(rule) }));
  return progress(state, judgeCluster(situationOf(wrong), enabled, now), digest, now);
}

function knowing(...episodes: readonly ReturnType<typeof episodeAt>[]) {
  return { ...nothingKnown, episodes: new Map(episodes.map((one) => [one.place, one])) };
}

const m1 = { node: 'm1' };

describe('episodes', () => {
  it('have numbers that follow the clock, and each other', () => {
    const { fired, state } = moved({ rules: { quick: [m1, { node: 'm2' }] } });
    expect(fired.map(({ number }) => number)).toEqual([1_790_000_000, 1_790_000_001]);
    const next = moved({ rules: { quick: [m1, { node: 'm2' }, { node: 'm3' }] } }, state);
    expect(next.fired.map(({ number }) => number)).toEqual([1_790_000_002]);
  });

  it('of other clusters are left alone', () => {
    const other = episodeAt('quick', m1, { cluster: 'test' });
    const { state, ended } = moved({ rules: {} }, knowing(other));
    expect(ended).toEqual([]);
    expect(state.episodes.get(other.place)).toBe(other);
  });

  it('of rules that nobody knows any more are over', () => {
    expect(moved({ rules: {} }, knowing(episodeAt('gone', m1))).ended).toHaveLength(1);
  });

  it('that were pending are no end that anybody hears of', () => {
    const pending = episodeAt('slow', m1, { phase: 'pending' });
    const { state, ended } = moved({ rules: {} }, knowing(pending));
    expect([ended, state.episodes.size]).toEqual([[], 0]);
  });

  it('do not end while they flap', () => {
    const replica = { service_name: 'GPE', partition: '1', replica: '2' };
    const away = episodeAt('service_not_online', replica);
    const both = knowing(away, episodeAt('service_flapping', replica));
    const flapping = moved({ rules: { service_flapping: [replica] } }, both);
    expect(flapping.ended).toEqual([]);
    const calm = moved({ rules: {} }, flapping.state);
    expect(calm.ended.map(({ rule }) => rule)).toEqual(['service_flapping']);
    expect(moved({ rules: {} }, calm.state).ended.map(({ rule }) => rule)).toEqual(['service_not_online']);
  });

  it('are bounded', () => {
    const nodes = Array.from({ length: 10_500 }, (_, at) => ({ node: `m${at}` }));
    const { state, left } = moved({ rules: { quick: nodes } });
    expect([state.episodes.size, left]).toEqual([10_000, 500]);
    const again = moved({ rules: { quick: nodes } }, state);
    expect([again.state.episodes.size, again.left]).toEqual([10_000, 500]);
    expect(again.fired).toEqual([]);
  });

  it('are bounded in each cluster, and what is critical has room', () => {
    const nodes = Array.from({ length: 10_500 }, (_, at) => ({ node: `m${at}` }));
    const { state } = moved({ rules: { quick: nodes } });
    expect(moved({ rules: { quick: [{ node: 'm1' }] }, cluster: 'other' }, state).fired).toHaveLength(1);
    expect(moved({ rules: { quick: nodes, urgent: [{ node: 'm1' }] } }, state).fired).toHaveLength(1);
  });
});
