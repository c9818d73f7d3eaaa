import { describe, expect, it } from 'vitest';
import { IncidentTargets } from '../../src/alert/incident-targets.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { catchAllRoute } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const receivers = ['chat', 'oncall', 'mail'].map((name) => ({ name, heartbeat: false }));
const routes = [
  { ...catchAllRoute, matchers: matchersOf('severity="critical"'), receivers: ['oncall', 'chat'] },
  { ...catchAllRoute, receivers: ['chat'] },
];
const targets = new IncidentTargets(routes, receivers);
const incident = firingIncident('cause', { node: 'm1' });
const labels = { ...incident.labels, severity: 'critical' };
const page = firingIncident('effect', { node: 'm1' }, { severity: 'critical', labels });

function namesOf(...given: Parameters<IncidentTargets['of']>): readonly string[] {
  return targets.of(...given).map(({ receiver }) => receiver);
}

describe('targets of an incident', () => {
  it('are those of its routes and of its critical effects, each once', () => {
    expect(namesOf(incident, [])).toEqual(['chat']);
    expect(namesOf(incident, [{ ...page, severity: 'warning' }])).toEqual(['chat']);
    expect(namesOf(incident, [page])).toEqual(['chat', 'oncall']);
  });

  it('are cached by labels, unless the incident names receivers', () => {
    expect(targets.of(incident, [])).toBe(targets.of({ ...incident }, []));
    expect(namesOf({ ...incident, receivers: ['mail'] }, [])).toEqual(['chat', 'mail']);
  });

  it('do not include the receiver that a self-alert is about', () => {
    const failing = firingIncident('delivery_failing', { receiver: 'chat' }, { cluster: '' });
    expect(namesOf(failing, [])).toEqual(['oncall', 'mail']);
  });
});
