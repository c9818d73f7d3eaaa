import { expect, it } from 'vitest';
import { alertingMetrics, alertingSamples } from '../../src/alert/alerting-metrics.ts';
import { emptyAlertingState } from '../../src/alert/incident.ts';
import { sampleLines } from '../support/poll-results.ts';
import { ruleOf, selfRuleOf, settingsOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const rules = [ruleOf('quick'), ruleOf('slow', { severity: 'info' }), selfRuleOf('own')];
/** Without the counts that are 0. */
const shownCounts = (counts: Iterable<readonly [string, number]>) => [...counts].filter(([, count]) => count > 0);
const settings = { rules: { quick: settingsOf(ruleOf('quick'), { severity: 'critical' }) } };

it('alerting metrics › has a series for every rule from the start, in its cluster or without a cluster', () => {
  expect(sampleLines(alertingSamples(emptyAlertingState, 'prod', rules, { ...settings, shownCounts }))).toEqual([
    'graphwarden_alerts_firing{rule="quick",severity="critical"} 0',
    'graphwarden_alerts_firing{rule="slow",severity="info"} 0',
    'graphwarden_alerts_silenced 0',
    'graphwarden_alerts_unrouted 0',
  ]);
  expect(sampleLines(alertingSamples(emptyAlertingState, '', rules, { ...settings, shownCounts }))).toContain(
    'graphwarden_alerts_firing{rule="own",severity="warning"} 0',
  );
});

it('alerting metrics › counts firing and suppressed alerts, and all incidents since the start', () => {
  const incidents = [
    firingIncident('slow', { node: 'm1' }, { suppression: { kind: 'silence', id: 's' } }),
    firingIncident('slow', { node: 'm2' }, { unrouted: true }),
    firingIncident('slow', { node: 'm3' }, { phase: 'pending' }),
    firingIncident('slow', { node: 'm4' }, { cluster: 'test', identityKey: 'elsewhere' }),
  ];
  const count = { cluster: 'prod', rule: 'slow', severity: 'warning', count: 5 } as const;
  const state = {
    ...emptyAlertingState,
    incidents: new Map(incidents.map((one) => [one.identityKey, one])),
    counts: new Map([
      ['a', count],
      ['b', { ...count, cluster: 'test' }],
    ]),
  };
  const lines = sampleLines(alertingSamples(state, 'prod', rules, { ...settings, shownCounts }));
  expect(lines).toContain('graphwarden_alerts_firing{rule="slow",severity="warning"} 2');
  expect(lines).toContain('graphwarden_alerts_silenced 1');
  expect(lines).toContain('graphwarden_alerts_unrouted 1');
  expect(lines).toContain('graphwarden_alerts_episodes_total{rule="slow",severity="warning"} 5');
});

it('alerting metrics › counts incidents by their first cause, without effects and inhibited alerts', () => {
  const node = firingIncident('slow', { node: 'm1' });
  const formerCause = { rule: 'quick', summary: '', startsAt: 0, endsAt: 1 };
  const updates = { revision: 1, raised: 0, urgent: 0, sent: {}, formerLabels: [], formerCause };
  const inhibition = { kind: 'inhibition', by: node.identityKey } as const;
  const all = [
    node,
    firingIncident('slow', { node: 'm2' }, { suppression: { kind: 'silence', id: 's' } }),
    firingIncident('slow', { node: 'm3' }, { lead: node.identityKey }),
    firingIncident('slow', { node: 'm4' }, { suppression: inhibition }),
    firingIncident('slow', { node: 'm5' }, { suppression: { kind: 'awaited_cause', by: node.identityKey, since: 0 } }),
    firingIncident('slow', { node: 'm6' }, { updates, suppression: inhibition }),
  ];
  const state = { ...emptyAlertingState, incidents: new Map(all.map((one) => [one.identityKey, one])) };
  const lines = sampleLines(alertingSamples(state, 'prod', rules, { ...settings, shownCounts }));
  expect(lines.filter((line) => line.startsWith('graphwarden_incidents_open'))).toEqual([
    'graphwarden_incidents_open{rule="slow"} 2',
    'graphwarden_incidents_open{rule="quick"} 1',
  ]);
});

it('alerting metrics › declares every exposed family', () => {
  expect(alertingMetrics.map(({ name }) => name)).toEqual([
    'graphwarden_alerts_firing',
    'graphwarden_incidents_open',
    'graphwarden_alerts_silenced',
    'graphwarden_alerts_unrouted',
    'graphwarden_alerts_episodes_total',
  ]);
});
