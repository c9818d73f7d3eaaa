import { expect, it } from 'vitest';
import { createAlerting } from '../../../src/alert/create-alerting.ts';
import { emptyAlertingState } from '../../../src/alert/incident.ts';
import { AlertSamples } from '../../../src/app/incidents/alert-samples.ts';
import { zeroPeriod } from '../../../src/metric/first-use.ts';
import { ruleOf, settingsOf } from '../../alert/alerting-testbed.ts';
import { sampleLines } from '../../support/poll-results.ts';

const rule = ruleOf('quick');
const settings = { receivers: [], routes: [], rules: { quick: settingsOf(rule) }, maintenance: [], templates: {} };

const digest = { sha256: (text: string) => text, hmacSha256: (_: string, text: string) => text };

const machine = createAlerting([rule], settings, { receivers: [], digest });
const state = emptyAlertingState;
const now = { wall: 0, mono: 0 };
const count = { cluster: 'prod', rule: 'quick', severity: 'warning', count: 3 } as const;

it('alert samples are the same list while a cluster has no incident and no change', () => {
  const samples = new AlertSamples();
  const first = samples.of('prod', { machine, state, now, isQuiet: true });
  expect(samples.of('prod', { machine, state: { ...state }, now, isQuiet: true })).toBe(first);
  expect(samples.of('test', { machine, state, now, isQuiet: true })).not.toBe(first);
  expect(samples.of('prod', { machine, state, now, isQuiet: false })).not.toBe(first);
  samples.reset();
  const second = samples.of('prod', { machine, state, now, isQuiet: true });
  expect(second).not.toBe(first);
  samples.disown('prod');
  expect(samples.of('prod', { machine, state, now, isQuiet: true })).not.toBe(second);
});

it('alert samples count ended incidents in a series that is 0 for a minute', () => {
  const samples = new AlertSamples();
  samples.of('prod', { machine, state, now, isQuiet: true });
  const counted = { ...state, counts: new Map([['a', count]]) };
  const line = (mono: number): string | undefined => {
    const shown = samples.of('prod', { machine, state: counted, now: { wall: mono, mono }, isQuiet: true });
    return sampleLines(shown).find((one) => one.startsWith('graphwarden_alerts_episodes_total'));
  };
  expect(line(1000)).toBe('graphwarden_alerts_episodes_total{rule="quick",severity="warning"} 0');
  expect(line(zeroPeriod)).toMatch(/ 0$/);
  expect(line(zeroPeriod + 1000)).toMatch(/ 3$/);
});
