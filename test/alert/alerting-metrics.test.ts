import { expect, it } from 'vitest';
import { alertingMetrics, alertingSamples } from '../../src/alert/alerting-metrics.ts';
import { emptyAlertingState } from '../../src/alert/incident.ts';
import { sampleLines } from '../support/poll-results.ts';
import { ruleOf, selfRuleOf, settingsOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const rules = [ruleOf('quick'), ruleOf('slow', { severity: 'info' }), selfRuleOf('own')];
const settings = { rules: { quick: settingsOf(ruleOf('quick'), { severity: 'critical' }) } };

it('shows every rule from the start, in its cluster or among those about ourselves', () => {
  expect(sampleLines(alertingSamples(emptyAlertingState, 'prod', rules, settings))).toEqual([
    'graphwarden_alerts_firing{rule="quick",severity="critical"} 0',
    'graphwarden_alerts_firing{rule="slow",severity="info"} 0',
    'graphwarden_alerts_silenced 0',
    'graphwarden_alerts_unrouted 0',
    'graphwarden_alerts_episodes_total{rule="quick",severity="critical"} 0',
    'graphwarden_alerts_episodes_total{rule="slow",severity="info"} 0',
  ]);
  expect(sampleLines(alertingSamples(emptyAlertingState, '', rules, settings))).toContain(
    'graphwarden_alerts_firing{rule="own",severity="warning"} 0',
  );
});

it('counts firing and suppressed alerts, and all incidents since the start', () => {
  const incidents = [
    firingIncident('slow', { node: 'm1' }, { suppression: { kind: 'silence', id: 's' } }),
    firingIncident('slow', { node: 'm2' }, { unrouted: true }),
    firingIncident('slow', { node: 'm3' }, { phase: 'pending' }),
    firingIncident('slow', { node: 'm4' }, { cluster: 'test', place: 'elsewhere' }),
  ];
  const count = { cluster: 'prod', rule: 'slow', severity: 'warning', count: 5 } as const;
  const state = {
    ...emptyAlertingState,
    incidents: new Map(incidents.map((one) => [one.place, one])),
    counts: new Map([
      ['a', count],
      ['b', { ...count, cluster: 'test' }],
    ]),
  };
  const lines = sampleLines(alertingSamples(state, 'prod', rules, settings));
  expect(lines).toContain('graphwarden_alerts_firing{rule="slow",severity="warning"} 2');
  expect(lines).toContain('graphwarden_alerts_silenced 1');
  expect(lines).toContain('graphwarden_alerts_unrouted 1');
  expect(lines).toContain('graphwarden_alerts_episodes_total{rule="slow",severity="warning"} 5');
});

it('declares what it shows', () => {
  expect(alertingMetrics.map(({ name }) => name)).toEqual([
    'graphwarden_alerts_firing',
    'graphwarden_alerts_silenced',
    'graphwarden_alerts_unrouted',
    'graphwarden_alerts_episodes_total',
  ]);
});
