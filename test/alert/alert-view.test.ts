import { describe, expect, it } from 'vitest';
import { alertViews, unexpiredSilences } from '../../src/alert/alert-view.ts';
import { emptyAlertingState } from '../../src/alert/incident.ts';
import { firingIncident } from './incident-fixture.ts';

function silence(id: string, endsAt: number) {
  return { id, matchers: [], startsAt: 0, endsAt, author: 'me', reason: 'r' };
}

describe('alertViews', () => {
  it('show why no notification is sent', () => {
    const by = firingIncident('node_unreachable', { node: 'm1' });
    const incidents = [
      by,
      firingIncident('a', {}, { suppression: { kind: 'silence', id: 's1' } }),
      firingIncident('b', {}, { suppression: { kind: 'maintenance', name: 'sunday' } }),
      firingIncident('c', {}, { suppression: { kind: 'inhibition', by: by.identityKey } }),
      firingIncident('d', {}, { suppression: { kind: 'inhibition', by: 'gone' } }),
    ];
    const state = { ...emptyAlertingState, incidents: new Map(incidents.map((one) => [one.identityKey, one])) };
    expect(
      alertViews(state).map(({ rule, silencedBy, maintenance, inhibitedBy }) => [
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

  it('have an end if they are resolved, and no internal fields', () => {
    const state = { ...emptyAlertingState, resolved: [{ incident: firingIncident('a', {}), endsAt: 9 }] };
    expect(alertViews(state)).toEqual([
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

it('alert view › shows active silences, ordered by their end', () => {
  const all = [silence('late', 300), silence('over', 100), silence('soon', 200)];
  const state = { ...emptyAlertingState, silences: new Map(all.map((one) => [one.id, one])) };
  expect(unexpiredSilences(state, { wall: 100, mono: 0 }).map(({ id }) => id)).toEqual(['soon', 'late']);
});
