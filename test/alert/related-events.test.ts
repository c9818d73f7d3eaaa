import { describe, expect, it } from 'vitest';
import type { RecentEvent } from '../../src/alert/alerting.ts';
import { eventsOfChanges, relatedEvents, withRecentEvents } from '../../src/alert/related-events.ts';
import { firingIncident } from './incident-fixture.ts';

const incident = firingIncident('service_not_online', { service_name: 'GPE' }, { facts: { instance: 'GPE_1#1' } });
const { startsAt } = incident;

function event(before: number, more: Partial<RecentEvent> = {}): RecentEvent {
  return { at: startsAt - before, cluster: 'prod', subject: 'm2', text: 'm2 failed its health check', ...more };
}

describe('related events', () => {
  it('are those of the last five minutes and until the alert fires, the oldest first', () => {
    const events = [
      event(-2000, { text: 'm3 failed its health check', subject: 'm3' }),
      event(4000),
      event(300_000, { cluster: '', text: 'the configuration was reloaded' }),
      event(300_001, { text: 'too old' }),
      event(500, { text: 'GPE_1#2 changed from Online to Down', subject: 'GPE_1#2' }),
    ];
    expect(relatedEvents(events, incident).split('\n')).toEqual([
      'the configuration was reloaded 5m before',
      'm2 failed its health check 4s before',
      'GPE_1#2 changed from Online to Down at the same time',
      'm3 failed its health check 2s after',
    ]);
  });

  it('are not about another cluster, nor about the subject of the incident', () => {
    const events = [event(1000, { cluster: 'test' }), event(1000, { subject: 'GPE_1#1' })];
    expect(relatedEvents(events, incident)).toBe('');
    expect(relatedEvents([event(1000)], firingIncident('node_unreachable', { node: 'm2' }))).toBe('');
  });

  it('name the subjects of the same event in one line', () => {
    const down = (subject: string, before: number) =>
      event(before, { subject, text: `${subject} changed from Online to Down` });
    const names = Array.from({ length: 18 }, (_, at) => `GPE_${at + 2}#3`);
    const events = [down('ADMIN#3', 4000), ...names.map((name) => down(name, 1000)), down('ZK#3', 4200), event(1000)];
    expect(relatedEvents(events, incident).split('\n')).toEqual([
      'ZK#3, ADMIN#3 changed from Online to Down 4s before',
      `${names.slice(0, 16).join(', ')} and 2 more changed from Online to Down 1s before`,
      'm2 failed its health check 1s before',
    ]);
  });

  it('are at most eight, of at most a hundred recent events', () => {
    const many = Array.from({ length: 150 }, (_, at) => event(150_000 - at, { text: `event ${at}` }));
    const kept = withRecentEvents([], many, startsAt);
    expect(kept).toHaveLength(100);
    expect(relatedEvents(kept, incident).split('\n')).toHaveLength(8);
    expect(withRecentEvents([event(600_000)], [event(1)], startsAt)).toEqual([event(1)]);
    expect(withRecentEvents(kept, [], startsAt)).toBe(kept);
  });
});

function byIdentityKey(...incidents: readonly (typeof incident)[]) {
  return new Map(incidents.map((one) => [one.identityKey, one]));
}

describe('events of findings', () => {
  const away = firingIncident('node_unreachable', { node: 'm1' });
  const aborted = firingIncident('query_aborted', { node: 'm1', graph: 'fraud', query: 'scan' });
  const other = { ...firingIncident('node_unreachable', { node: 'm9' }), cluster: 'test', identityKey: 'elsewhere' };

  it('are nodes that stop and start answering, and aborts', () => {
    const begun = eventsOfChanges(byIdentityKey(), byIdentityKey(away, aborted, incident, other), 'prod', 7);
    expect(begun).toEqual([
      { at: startsAt, cluster: 'prod', subject: 'm1', text: 'm1 failed its health check' },
      { at: startsAt, cluster: 'prod', subject: 'm1', text: 'scan of fraud was aborted on m1' },
    ]);
    expect(eventsOfChanges(byIdentityKey(away, aborted), byIdentityKey(), 'prod', 7)).toEqual([
      { at: 7, cluster: 'prod', subject: 'm1', text: 'm1 passed its health check again' },
    ]);
    expect(eventsOfChanges(byIdentityKey(away), byIdentityKey(away), 'prod', 7)).toEqual([]);
  });
});
