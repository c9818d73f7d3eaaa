import type { Alert } from '../../src/model/alert.ts';
import type { NotificationRecord } from '../../src/model/delivery.ts';
import type { NotificationRequest } from '../../src/notify/notifier.ts';

/** When the alert of the tests began, ms since the epoch. */
export const alertStart = Date.UTC(2026, 8, 22, 4, 50, 0);

/** Returns a firing alert with the given fields. */
export function firingAlert(given: Partial<Alert> = {}): Alert {
  return {
    key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
    episode: 3,
    rule: 'service_not_online',
    severity: 'critical',
    labels: {
      alertname: 'GraphdbServiceNotOnline',
      severity: 'critical',
      cluster_name: 'prod',
      node: 'm1',
      service_name: 'GPE',
      partition: '1',
      replica: '1',
    },
    annotations: {
      summary: 'GPE_1#1 on m1 is down',
      description: 'It went down at 04:50.',
      runbook_url: 'https://example.org/runbook#service_not_online',
      dashboard_url: 'https://warden.example.org/',
      episode: '3',
      started: '2026-09-22T04:50:00.000Z',
    },
    status: 'firing',
    startsAt: alertStart,
    generatorUrl: 'https://warden.example.org/alerts',
    ...given,
  };
}

/** Returns the same alert three minutes later, after it resolved. */
export function resolvedAlert(given: Partial<Alert> = {}): Alert {
  return firingAlert({ status: 'resolved', endsAt: alertStart + 180_000, ...given });
}

/** Returns a notification about alerts. */
export function alertsNotification(
  ...alerts: readonly Alert[]
): Extract<NotificationRequest, { readonly kind: 'alerts' }> {
  return { kind: 'alerts', group: { cluster_name: 'prod' }, alerts, isReminder: false };
}

/** Returns a digest of missed notifications. */
export function digestNotification(count: number): Extract<NotificationRequest, { readonly kind: 'digest' }> {
  const missed = Array.from({ length: Math.min(count, 50) }, (_, at) => ({
    key: `folded${at}`.padEnd(32, '0'),
    episode: at + 1,
    summary: `incident ${at}`,
    severity: 'warning' as const,
    startsAt: alertStart + at * 1000,
    endsAt: alertStart + at * 1000 + 500,
  }));
  return { kind: 'digest', missed, count, open: 2, since: alertStart };
}

/** Returns an entry of the delivery log: a trigger that `oncall` accepted. */
export function notificationEntry(more: Partial<NotificationRecord> = {}): NotificationRecord {
  return {
    at: 1000,
    receiver: 'oncall',
    key: 'a1b2c3d4e5f60718',
    episode: 3,
    severity: 'critical',
    labels: { alertname: 'GraphdbNodeUnreachable', cluster_name: 'prod', node: 'm1' },
    summary: 'm1 does not answer',
    action: 'trigger',
    result: 'accepted',
    queuedAt: 900,
    attempts: 1,
    reason: '',
    proof: '',
    ...more,
  };
}
