import type { Alert } from '../../src/model/alert.ts';
import type { Letter } from '../../src/notify/notifier.ts';

/** When the alert of the tests began, ms since the epoch. */
export const began = Date.UTC(2026, 8, 22, 4, 50, 0);

/** An alert that fires; what a test is about it says itself. */
export function alertOf(given: Partial<Alert> = {}): Alert {
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
      summary: 'GPE 1#1 on m1 is down',
      description: 'It went down at 04:50.',
      runbook_url: 'https://example.org/runbook#service_not_online',
      dashboard_url: 'https://warden.example.org/',
      episode: '3',
      started: '2026-09-22T04:50:00.000Z',
    },
    status: 'firing',
    startsAt: began,
    generatorUrl: 'https://warden.example.org/alerts',
    ...given,
  };
}

/** The same alert three minutes later, when it is over. */
export function resolvedOf(given: Partial<Alert> = {}): Alert {
  return alertOf({ status: 'resolved', endsAt: began + 180_000, ...given });
}

/** A letter about alerts. */
export function alertsLetter(...alerts: readonly Alert[]): Extract<Letter, { readonly kind: 'alerts' }> {
  return { kind: 'alerts', group: { cluster_name: 'prod' }, alerts, again: false };
}

/** A letter about what was missed. */
export function digestLetter(count: number): Extract<Letter, { readonly kind: 'digest' }> {
  const folded = Array.from({ length: Math.min(count, 50) }, (_, at) => ({
    key: `folded${at}`.padEnd(32, '0'),
    episode: at + 1,
    summary: `incident ${at}`,
    severity: 'warning' as const,
    startsAt: began + at * 1000,
    endsAt: began + at * 1000 + 500,
  }));
  return { kind: 'digest', folded, count, open: 2, since: began };
}
