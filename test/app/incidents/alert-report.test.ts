import { expect, it } from 'vitest';
import type { AlertView } from '../../../src/alert/alert-view.ts';
import { reportAlerts, reportSilence } from '../../../src/app/incidents/alert-report.ts';
import { matchersOf } from '../../support/matchers-of.ts';

const at = Date.parse('2026-01-31T12:00:00Z');

const none = () => [];

function view(more: Partial<AlertView> = {}): AlertView {
  return {
    key: 'k1',
    episode: 7,
    rule: 'disk_filling',
    severity: 'warning',
    phase: 'firing',
    labels: { alertname: 'GraphdbDiskFilling', cluster_name: 'prod', node: 'm1' },
    annotations: { summary: 'The disk of m1 fills.' },
    startsAt: at,
    ...more,
  };
}

it('alert report › reports all fields of an alert', () => {
  expect(reportAlerts([view()], none)).toEqual([
    {
      key: 'k1',
      episode: 7,
      incident: 'k1-7',
      cluster: 'prod',
      rule: 'disk_filling',
      severity: 'warning',
      phase: 'firing',
      state: 'firing',
      event: false,
      labels: { alertname: 'GraphdbDiskFilling', cluster_name: 'prod', node: 'm1' },
      annotations: { summary: 'The disk of m1 fills.' },
      startsAt: '2026-01-31T12:00:00.000Z',
      endsAt: null,
      silencedBy: null,
      inhibitedBy: null,
      maintenance: null,
      recoveringSince: null,
      unrouted: false,
      deliveries: [],
      acknowledgement: null,
    },
  ]);
});

it('alert report › reports why an alert is not notified, and when it ended', () => {
  const views = [view({ silencedBy: 's1' }), view({ inhibitedBy: 'k2' }), view({ maintenance: 'sunday' })];
  const [silenced, inhibited, maintained] = reportAlerts(views, none);
  expect(silenced).toMatchObject({ silencedBy: 's1', inhibitedBy: null });
  expect(inhibited).toMatchObject({ inhibitedBy: 'k2', maintenance: null });
  expect(maintained).toMatchObject({ maintenance: 'sunday', silencedBy: null });
  const [over] = reportAlerts([view({ phase: 'resolved', endsAt: at + 1 })], none);
  expect(over?.endsAt).toBe('2026-01-31T12:00:00.001Z');
});

it('alert report › reports the acknowledgement of an incident, and no incident while the alert is pending', () => {
  const acknowledgement = { author: 'ada', comment: 'on it', at };
  const [acknowledged, pending] = reportAlerts(
    [view({ acknowledgement }), view({ phase: 'pending', episode: 0 })],
    none,
  );
  expect(acknowledged?.acknowledgement).toEqual({ ...acknowledgement, at: '2026-01-31T12:00:00.000Z' });
  expect(pending?.incident).toBe('');
});

it('alert report › has no cluster for an alert about graphwarden', () => {
  expect(reportAlerts([view({ labels: { alertname: 'GraphwardenWatchdog' } })], none)[0]?.cluster).toBe('');
});

it('the report sorts by state, then by severity, then by start', () => {
  const views = [
    view({ key: 'resolved', phase: 'resolved', severity: 'critical' }),
    view({ key: 'pending', phase: 'pending', severity: 'critical' }),
    view({ key: 'info', severity: 'info' }),
    view({ key: 'old', startsAt: at - 1000 }),
    view({ key: 'new' }),
    view({ key: 'critical', severity: 'critical', startsAt: at - 9000 }),
  ];
  expect(reportAlerts(views, none).map(({ key }) => key)).toEqual([
    'critical',
    'new',
    'old',
    'info',
    'pending',
    'resolved',
  ]);
});

it('alert report › reports a silence', () => {
  const silence = {
    id: 's1',
    matchers: matchersOf('node="m1"'),
    startsAt: at,
    endsAt: at + 1000,
    author: 'alice',
    reason: 'x',
  };
  expect(reportSilence(silence)).toEqual({
    ...silence,
    matchers: ['node="m1"'],
    startsAt: '2026-01-31T12:00:00.000Z',
    endsAt: '2026-01-31T12:00:01.000Z',
  });
});

it('alert report › reports that an alert was sent to no receiver', () => {
  expect(reportAlerts([view({ unrouted: true })], none)).toMatchObject([{ unrouted: true }]);
});

it.each([
  [{}, 'firing'],
  [{ phase: 'pending' }, 'pending'],
  [{ phase: 'resolved', silencedBy: 's1' }, 'resolved'],
  [{ recoveringSince: at }, 'recovering'],
  [{ recoveringSince: at, inhibitedBy: 'k2' }, 'suppressed'],
  [{ silencedBy: 's1' }, 'suppressed'],
  [{ maintenance: 'sunday' }, 'suppressed'],
] as const)('alert report › reports the state of an alert with %j: %s', (more, state) => {
  expect(reportAlerts([view(more)], none)[0]).toMatchObject({ state, event: false });
});

it('alert report › reports an aborted query as an event', () => {
  expect(reportAlerts([view({ rule: 'query_aborted' })], none)[0]).toMatchObject({ event: true });
});
