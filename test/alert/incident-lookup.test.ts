import { describe, expect, it } from 'vitest';
import { emptyAlertingState, type Incident } from '../../src/alert/incident.ts';
import { incidentOfInstance, includingIncident } from '../../src/alert/incident-lookup.ts';

const gpe = { cluster: 'prod', service: 'GPE', partition: '1', replica: '1' };

function incident(identityKey: string, more: Partial<Incident> = {}): Incident {
  const at = { wall: 100_000, mono: 100_000 };
  return {
    identityKey,
    key: `key of ${identityKey}`,
    cluster: 'prod',
    rule: 'node_unreachable',
    severity: 'critical',
    labels: {},
    identity: { node: 'm1' },
    facts: {},
    annotations: {},
    phase: 'firing',
    number: 7,
    startsAt: 100_000,
    activeAt: at,
    for: 0,
    lastActiveAt: at,
    receivers: [],
    notified: {},
    ...more,
  };
}

function stateOf(incidents: readonly Incident[], resolved: readonly Incident[] = []) {
  return {
    ...emptyAlertingState,
    incidents: new Map(incidents.map((one) => [one.identityKey, one])),
    resolved: resolved.map((one) => ({ incident: one, endsAt: 200_000 })),
  };
}

const about = { rule: 'service_not_online', identity: { service_name: 'GPE', partition: '1', replica: '1' } };

describe('incidentOfInstance', () => {
  it('is the incident of a node that became unreachable at the same time', () => {
    const state = stateOf([incident('node')]);
    expect(incidentOfInstance(state, gpe, 60_000)?.identityKey).toBe('node');
    expect(incidentOfInstance(state, gpe, 100_000 + 300_000)?.identityKey).toBe('node');
    for (const start of [39_999, 400_001]) expect(incidentOfInstance(state, gpe, start)).toBe(undefined);
    expect(incidentOfInstance(state, { ...gpe, cluster: 'test' }, 100_000)).toBe(undefined);
  });

  it('is the incident that includes the alert about the instance, or else that alert', () => {
    const effect = incident('gpe', { ...about, startsAt: 0, lead: 'node' });
    expect(incidentOfInstance(stateOf([incident('node'), effect]), gpe, 0)?.identityKey).toBe('node');
    const alone = incident('gpe', about);
    expect(incidentOfInstance(stateOf([alone]), gpe, 0)?.identityKey).toBe('gpe');
    expect(incidentOfInstance(stateOf([alone]), { ...gpe, replica: '2' }, 0)).toBe(undefined);
  });

  it('is undefined while the alert is pending', () => {
    expect(incidentOfInstance(stateOf([incident('gpe', { ...about, phase: 'pending' })]), gpe, 0)).toBe(undefined);
  });
});

describe('includingIncident', () => {
  it('follows an alert to the incident that includes it, also after both ended', () => {
    const [node, effect] = [incident('node'), incident('gpe', { ...about, lead: 'node', number: 8 })];
    const id = { key: 'key of gpe', episode: 8 };
    expect(includingIncident(stateOf([node, effect]), id)?.identityKey).toBe('node');
    expect(includingIncident(stateOf([node], [effect]), id)?.identityKey).toBe('node');
    expect(includingIncident(stateOf([], [node, effect]), id)?.identityKey).toBe('node');
    expect(includingIncident(stateOf([], [effect]), id)?.identityKey).toBe('gpe');
    expect(includingIncident(stateOf([node]), id)).toBe(undefined);
  });

  it('follows an inhibited alert to the incident of the alert that inhibits it', () => {
    const node = incident('node');
    const suppression = { kind: 'inhibition', by: 'node' } as const;
    const stale = incident('stale', { rule: 'collector_blind', suppression, number: 9 });
    const id = { key: 'key of stale', episode: 9 };
    expect(includingIncident(stateOf([node, stale]), id)?.identityKey).toBe('node');
    const silenced = { ...stale, suppression: { kind: 'silence', id: 'node' } as const };
    expect(includingIncident(stateOf([node, silenced]), id)?.identityKey).toBe('stale');
  });

  it('distinguishes incidents with the same identity key, and ends when they form a cycle', () => {
    const [old, current] = [incident('node', { key: 'old' }), incident('node', { number: 8 })];
    expect(includingIncident(stateOf([current], [old]), { key: 'old', episode: 7 })?.number).toBe(7);
    const circle = [incident('a', { lead: 'b' }), incident('b', { lead: 'a' })];
    expect(includingIncident(stateOf(circle), { key: 'key of a', episode: 7 })?.identityKey).toBe('b');
  });
});
