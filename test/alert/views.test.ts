import { describe, expect, it } from 'vitest';
import { nothingKnown } from '../../src/alert/episode.ts';
import { alertsOf, silencesOf } from '../../src/alert/views.ts';
import { episodeAt } from './episode-of.ts';

function silence(id: string, endsAt: number) {
  return { id, match: {}, startsAt: 0, endsAt, author: 'me', reason: 'r' };
}

describe('alerts as people see them', () => {
  it('say why nobody is told', () => {
    const by = episodeAt('node_unreachable', { node: 'm1' });
    const episodes = [
      by,
      episodeAt('a', {}, { held: { kind: 'silence', id: 's1' } }),
      episodeAt('b', {}, { held: { kind: 'maintenance', name: 'sunday' } }),
      episodeAt('c', {}, { held: { kind: 'inhibition', by: by.place } }),
      episodeAt('d', {}, { held: { kind: 'inhibition', by: 'gone' } }),
    ];
    const state = { ...nothingKnown, episodes: new Map(episodes.map((one) => [one.place, one])) };
    expect(
      alertsOf(state).map(({ rule, silencedBy, maintenance, inhibitedBy }) => [
        rule,
        silencedBy ?? maintenance ?? inhibitedBy,
      ]),
    ).toEqual([
      ['node_unreachable', undefined],
      ['a', 's1'],
      ['b', 'sunday'],
      ['c', by.key],
      ['d', ''],
    ]);
  });

  it('have an end where they are over, and nothing of how we keep them', () => {
    const state = { ...nothingKnown, past: [{ episode: episodeAt('a', {}), endsAt: 9 }] };
    expect(alertsOf(state)).toEqual([
      {
        key: expect.any(String),
        episode: 7,
        rule: 'a',
        severity: 'warning',
        phase: 'resolved',
        labels: { alertname: 'a', severity: 'warning', cluster_name: 'prod' },
        annotations: { summary: 'a summary' },
        startsAt: Date.UTC(2026, 8, 22, 4, 53, 20),
        endsAt: 9,
      },
    ]);
  });
});

it('shows silences that are not over, the first to end first', () => {
  const all = [silence('late', 300), silence('over', 100), silence('soon', 200)];
  const state = { ...nothingKnown, silences: new Map(all.map((one) => [one.id, one])) };
  expect(silencesOf(state, { wall: 100, mono: 0 }).map(({ id }) => id)).toEqual(['soon', 'late']);
});
