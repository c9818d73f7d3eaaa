import { expect, it } from 'vitest';
import { otherIncidents } from '../../page/src/incident-history.ts';
import { type NotificationReport, notificationSchema } from '../../src/api/notifications.ts';

const labels = { alertname: 'A', severity: 'warning', cluster_name: 'prod', node: 'm1' };
const alert = { incident: 'now-3', labels };

function entry(more: Partial<NotificationReport>): NotificationReport {
  const delivery = { receiver: 'oncall', action: 'trigger', queuedAt: null, acceptedAt: null, nextAttemptAt: null };
  const result = { attempts: 1, status: 202, reason: '', result: 'accepted', proof: '' };
  const alarm = {
    incident: 'old-2',
    alertname: 'A',
    cluster: 'prod',
    severity: 'warning',
    labels,
    summary: 'm1 is full',
  };
  return notificationSchema.parse({ at: '2026-01-31T12:00:00.000Z', ...delivery, ...result, ...alarm, ...more });
}

it('incident history › lists the other incidents with the same labels and any severity', () => {
  const log = [
    entry({ incident: 'now-3' }),
    entry({ at: '2026-01-31T12:09:00.000Z', action: 'resolve' }),
    entry({ at: '2026-01-31T12:00:01.000Z', receiver: 'chat' }),
    entry({ queuedAt: '2026-01-31T11:59:59.000Z', labels: { ...labels, severity: 'critical', graph: '' } }),
    entry({ incident: 'other-1', labels: { ...labels, node: 'm2' } }),
    entry({ incident: 'old-1', at: '2026-01-30T12:00:00.000Z', summary: '' }),
    entry({ incident: '', action: 'digest' }),
  ];
  expect(otherIncidents(alert, log)).toEqual([
    {
      incident: 'old-2',
      startsAt: '2026-01-31T11:59:59.000Z',
      endsAt: '2026-01-31T12:09:00.000Z',
      summary: 'm1 is full',
    },
    { incident: 'old-1', startsAt: '2026-01-30T12:00:00.000Z', endsAt: null, summary: 'A' },
  ]);
});
