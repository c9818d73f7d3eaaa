import { describe, expect, it } from 'vitest';
import { evaluateClusterRules } from '../../src/alert/evaluation.ts';
import { emptyAlertingState } from '../../src/alert/incident.ts';
import { updateIncidents } from '../../src/alert/update-incidents.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { type FiringRules, ruleOf, settingsOf, situationOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const now = { wall: 1_790_000_000_500, mono: 90_000 };
const rules = [
  ruleOf('quick'),
  ruleOf('slow', { for: 60_000 }),
  ruleOf('urgent', { severity: 'critical' }),
  ruleOf('service_not_online'),
  ruleOf('service_flapping'),
];

function moved(wrong: FiringRules, state = emptyAlertingState) {
  const enabled = rules.map((rule) => ({ rule, settings: settingsOf(rule) }));
  return updateIncidents(state, evaluateClusterRules(situationOf(wrong), enabled, now), digest, now);
}

function knowing(...incidents: readonly ReturnType<typeof firingIncident>[]) {
  return { ...emptyAlertingState, incidents: new Map(incidents.map((one) => [one.place, one])) };
}

const m1 = { node: 'm1' };

describe('incidents', () => {
  it('have numbers that follow the clock, and each other', () => {
    const { fired, state } = moved({ rules: { quick: [m1, { node: 'm2' }] } });
    expect(fired.map(({ number }) => number)).toEqual([1_790_000_000_500, 1_790_000_000_501]);
    const next = moved({ rules: { quick: [m1, { node: 'm2' }, { node: 'm3' }] } }, state);
    expect(next.fired.map(({ number }) => number)).toEqual([1_790_000_000_502]);
  });

  it('of other clusters are left alone', () => {
    const other = firingIncident('quick', m1, { cluster: 'test' });
    const { state, resolved } = moved({ rules: {} }, knowing(other));
    expect(resolved).toEqual([]);
    expect(state.incidents.get(other.place)).toBe(other);
  });

  it('of removed rules are resolved', () => {
    expect(moved({ rules: {} }, knowing(firingIncident('gone', m1))).resolved).toHaveLength(1);
  });

  it('that end while pending are not resolved', () => {
    const pending = firingIncident('slow', m1, { phase: 'pending' });
    const { state, resolved } = moved({ rules: {} }, knowing(pending));
    expect([resolved, state.incidents.size]).toEqual([[], 0]);
  });

  it('do not end while they flap', () => {
    const replica = { service_name: 'GPE', partition: '1', replica: '2' };
    const away = firingIncident('service_not_online', replica);
    const both = knowing(away, firingIncident('service_flapping', replica));
    const flapping = moved({ rules: { service_flapping: [replica] } }, both);
    expect(flapping.resolved).toEqual([]);
    const calm = moved({ rules: {} }, flapping.state);
    expect(calm.resolved.map(({ rule }) => rule)).toEqual(['service_flapping']);
    expect(moved({ rules: {} }, calm.state).resolved.map(({ rule }) => rule)).toEqual(['service_not_online']);
  });

  it('are bounded', () => {
    const nodes = Array.from({ length: 10_500 }, (_, at) => ({ node: `m${at}` }));
    const { state, droppedCount } = moved({ rules: { quick: nodes } });
    expect([state.incidents.size, droppedCount]).toEqual([10_000, 500]);
    const again = moved({ rules: { quick: nodes } }, state);
    expect([again.state.incidents.size, again.droppedCount]).toEqual([10_000, 500]);
    expect(again.fired).toEqual([]);
  });

  it('are bounded in each cluster, and what is critical has room', () => {
    const nodes = Array.from({ length: 10_500 }, (_, at) => ({ node: `m${at}` }));
    const { state } = moved({ rules: { quick: nodes } });
    expect(moved({ rules: { quick: [{ node: 'm1' }] }, cluster: 'other' }, state).fired).toHaveLength(1);
    expect(moved({ rules: { quick: nodes, urgent: [{ node: 'm1' }] } }, state).fired).toHaveLength(1);
  });
});
