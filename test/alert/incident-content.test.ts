import { describe, expect, it } from 'vitest';
import type { Incident } from '../../src/alert/incident.ts';
import { describeEffects, notifiedLabels, updatesOf, withContent } from '../../src/alert/incident-content.ts';
import { firingIncident } from './incident-fixture.ts';

const now = { wall: Date.UTC(2026, 8, 22, 5, 0, 0), mono: 9000 };
const lead = firingIncident('node_unreachable', { node: 'm1' }, { notified: { chat: 1 } });

function effectOf(partition: string, more: Partial<Incident> = {}): Incident {
  return firingIncident('partition_without_online_replica', { service_name: 'GPE', partition }, more);
}

describe('the content of an incident', () => {
  it('changes only with its effects', () => {
    const once = withContent(lead, [effectOf('1')], now);
    expect(withContent(once, [effectOf('1')], now)).toBe(once);
    expect(updatesOf(once)).toMatchObject({ revision: 1, raised: 0, urgent: 0, changedAt: now.mono });
  });

  it('is not an update before a receiver was notified', () => {
    const first = withContent({ ...lead, notified: {} }, [effectOf('1')], now);
    expect(first.content).toEqual({ severity: 'warning', effects: [effectOf('1').identityKey] });
    expect(first.updates).toBeUndefined();
  });

  it('has the highest severity of its alerts, and an increase is urgent', () => {
    const raised = withContent(lead, [effectOf('1', { severity: 'critical' })], now);
    expect(notifiedLabels(raised)).toEqual({ ...lead.labels, severity: 'critical' });
    expect(updatesOf(raised)).toMatchObject({ revision: 1, raised: 1, urgent: 1 });
    expect(updatesOf(raised).formerLabels).toEqual([{ labels: lead.labels }]);
    const lowered = withContent(raised, [], now);
    expect(updatesOf(lowered)).toMatchObject({ revision: 2, raised: 1, urgent: 1 });
    expect(updatesOf(lowered).formerLabels).toEqual([
      { labels: { ...lead.labels, severity: 'critical' }, endsAt: now.wall },
    ]);
  });

  it('resolves the labels of a resolved effect', () => {
    const { labels } = effectOf('1');
    const updates = { ...updatesOf(lead), formerLabels: [{ labels }] };
    const known = withContent({ ...lead, updates }, [effectOf('1')], now);
    expect(updatesOf(known).formerLabels).toEqual([{ labels }]);
    expect(updatesOf(withContent(known, [], now)).formerLabels).toEqual([{ labels, endsAt: now.wall }]);
  });
});

describe('the listed effects', () => {
  it('are the most severe ones, the oldest first', () => {
    const effects = Array.from({ length: 30 }, (_, at) => effectOf(`${at}`, { startsAt: 1000 - at }));
    const listed = describeEffects(lead, [...effects, effectOf('x', { severity: 'critical', startsAt: 2000 })]);
    expect(listed).toMatchObject({ count: 31, listed: { length: 20 } });
    expect(listed?.listed.map(({ startsAt }) => startsAt).slice(0, 3)).toEqual([2000, 971, 972]);
  });

  it('do not include another severity of the cause', () => {
    expect(describeEffects(lead, [{ ...lead, severity: 'critical' }])).toBeUndefined();
  });
});
