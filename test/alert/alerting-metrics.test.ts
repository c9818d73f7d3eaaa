import { expect, it } from 'vitest';
import { alertingMetrics, alertingSamples } from '../../src/alert/alerting-metrics.ts';
import { nothingKnown } from '../../src/alert/episode.ts';
import { linesOf } from '../support/readings.ts';
import { ruleOf, selfRuleOf, settingsOf } from './alerting-bed.ts';
import { episodeAt } from './episode-of.ts';

const rules = [ruleOf('quick'), ruleOf('slow', { severity: 'info' }), selfRuleOf('own')];
const settings = { rules: { quick: settingsOf(ruleOf('quick'), { severity: 'critical' }) } };

it('shows every rule from the start, in its cluster or among those about ourselves', () => {
  expect(linesOf(alertingSamples(nothingKnown, 'prod', rules, settings))).toEqual([
    'graphwarden_alerts_firing{rule="quick",severity="critical"} 0',
    'graphwarden_alerts_firing{rule="slow",severity="info"} 0',
    'graphwarden_alerts_silenced 0',
    'graphwarden_alerts_episodes_total{rule="quick",severity="critical"} 0',
    'graphwarden_alerts_episodes_total{rule="slow",severity="info"} 0',
  ]);
  expect(linesOf(alertingSamples(nothingKnown, '', rules, settings))).toContain(
    'graphwarden_alerts_firing{rule="own",severity="warning"} 0',
  );
});

it('counts what fires, what is held back, and what ever began', () => {
  const episodes = [
    episodeAt('slow', { node: 'm1' }, { held: { kind: 'silence', id: 's' } }),
    episodeAt('slow', { node: 'm2' }),
    episodeAt('slow', { node: 'm3' }, { phase: 'pending' }),
    episodeAt('slow', { node: 'm4' }, { cluster: 'test', place: 'elsewhere' }),
  ];
  const count = { cluster: 'prod', rule: 'slow', severity: 'warning', count: 5 } as const;
  const state = {
    ...nothingKnown,
    episodes: new Map(episodes.map((one) => [one.place, one])),
    counts: new Map([
      ['a', count],
      ['b', { ...count, cluster: 'test' }],
    ]),
  };
  const lines = linesOf(alertingSamples(state, 'prod', rules, settings));
  expect(lines).toContain('graphwarden_alerts_firing{rule="slow",severity="warning"} 2');
  expect(lines).toContain('graphwarden_alerts_silenced 1');
  expect(lines).toContain('graphwarden_alerts_episodes_total{rule="slow",severity="warning"} 5');
});

it('declares what it shows', () => {
  expect(alertingMetrics.map(({ name }) => name)).toEqual([
    'graphwarden_alerts_firing',
    'graphwarden_alerts_silenced',
    'graphwarden_alerts_episodes_total',
  ]);
});
