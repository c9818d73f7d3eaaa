import { expect, it } from 'vitest';
import { firingAlert } from '../../../src/alert/notifications.ts';
import { maxRecentEvents } from '../../../src/alert/related-events.ts';
import { publishedEvents, recentEvents } from '../../../src/app/incidents/incident-events.ts';
import type { TrackerOutput } from '../../../src/track/transitions.ts';
import { firingIncident } from '../../alert/incident-fixture.ts';

function transition(replica: number, from: string, to: string): TrackerOutput {
  const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: String(replica) };
  const reported = { process: 'Running', eventId: '', eventNs: '', source: 'm1' };
  return { kind: 'transition', transition: { ...id, ...reported, at: 1000 + replica, from, to } };
}

it('the events of a step are its transitions and then its alerts', () => {
  const changed = transition(1, 'Online', 'Down');
  const alert = firingAlert(firingIncident('quick', { node: 'm1' }), undefined);
  const stored: TrackerOutput = { kind: 'change', change: { table: 'tracker_replicas', drop: { cluster: 'prod' } } };
  expect([...publishedEvents([changed, stored], [alert])]).toEqual([changed, { kind: 'alert', alert }]);
});

it('first statuses, removals and failed polls are no related events', () => {
  const outputs = [
    transition(1, '', 'Online'),
    transition(2, 'Online', ''),
    transition(3, 'Online', 'unobserved'),
    transition(4, 'unobserved', 'Online'),
    transition(5, 'Online', 'Down'),
  ];
  const text = 'GPE_1#5 changed from Online to Down';
  expect(recentEvents(outputs)).toEqual([{ at: 1005, cluster: 'prod', subject: 'GPE_1#5', text }]);
});

it('of thousands of transitions, the newest are related events', () => {
  const outputs = Array.from({ length: 5000 }, (_, replica) => transition(replica, 'Online', 'Down'));
  const events = recentEvents(outputs);
  expect([events.length, events.at(-1)?.at]).toEqual([maxRecentEvents, 5999]);
});
