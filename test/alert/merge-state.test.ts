import { describe, expect, it } from 'vitest';
import { emptyAlertingState, type Incident } from '../../src/alert/incident.ts';
import { alertingRows, firingAlerts, mergeAlerting } from '../../src/alert/merge-state.ts';
import { firingIncident } from './incident-fixture.ts';

function stateOf(...incidents: readonly Incident[]) {
  return {
    ...emptyAlertingState,
    incidents: new Map(incidents.map((one) => [one.identityKey, one])),
    lastNumber: Math.max(0, ...incidents.map(({ number }) => number)),
  };
}

function at(identityKey: string, number: number, phase: Incident['phase'] = 'firing'): Incident {
  return { ...firingIncident('rule', {}), identityKey, key: identityKey, number, phase };
}

const silence = { id: 's', matchers: [], startsAt: 1, endsAt: 2, author: 'alice', reason: 'test' };

describe('merged state of alerting', () => {
  it('adds stored incidents, except where another one fires, and continues the highest number', () => {
    const current = stateOf(at('a', 5), at('b', 0, 'pending'));
    const stored = { ...stateOf(at('a', 3), at('b', 4), at('c', 9)), silences: new Map([['s', silence]]) };
    const merged = mergeAlerting(current, stored, current);
    expect([...merged.incidents.values()].map(({ identityKey, number }) => `${identityKey} ${number}`)).toEqual([
      'a 5',
      'b 4',
      'c 9',
    ]);
    expect([...merged.silences.keys()]).toEqual(['s']);
    expect(merged.lastNumber).toBe(9);
  });

  it('does not restore an incident that resolved during the read', () => {
    const before = { ...stateOf(at('a', 5)), silences: new Map([['s', silence]]) };
    const merged = mergeAlerting(emptyAlertingState, before, before);
    expect([merged.incidents.size, merged.silences.size]).toEqual([0, 0]);
  });

  it('is stored with all firing incidents, which are the firing alerts', () => {
    const state = { ...stateOf(at('a', 5), at('b', 0, 'pending')), silences: new Map([['s', silence]]) };
    expect(alertingRows(state).map(({ table }) => table)).toEqual(['counters', 'episodes', 'silences']);
    expect([...firingAlerts(state).values()]).toMatchObject([{ key: 'a', episode: 5, status: 'firing' }]);
  });

  it('has the effects of an incident, which a receiver that is added again gets', () => {
    const effect = { ...at('b', 6), rule: 'effect', lead: 'a' };
    expect(firingAlerts(stateOf(at('a', 5), effect)).get('a')?.effects).toMatchObject({ listed: [{ rule: 'effect' }] });
  });
});
