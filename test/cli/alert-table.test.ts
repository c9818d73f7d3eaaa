import { describe, expect, it } from 'vitest';
import type { AlertReport, SilenceReport } from '../../src/api/alerts.ts';
import { alertTable, silenceTable } from '../../src/cli/alert-table.ts';

const now = Date.parse('2026-01-31T12:00:00Z');

function alert(more: Partial<AlertReport> = {}): AlertReport {
  return {
    key: 'k1',
    episode: 7,
    incident: 'k1-7',
    cluster: 'prod',
    rule: 'disk_filling',
    severity: 'warning',
    phase: 'firing',
    labels: {
      alertname: 'GraphdbDiskFilling',
      severity: 'warning',
      cluster_name: 'prod',
      node: 'm1',
      mount: '/d',
      replica: '',
    },
    annotations: { summary: 'The disk of m1 fills.' },
    startsAt: '2026-01-31T10:58:57.250Z',
    endsAt: null,
    silencedBy: null,
    inhibitedBy: null,
    maintenance: null,
    recoveringSince: null,
    unrouted: false,
    deliveries: [],
    acknowledgement: null,
    ...more,
  };
}

const delivery = {
  receiver: 'oncall',
  action: 'trigger',
  queuedAt: null,
  acceptedAt: '2026-01-31T11:00:01.000Z',
  attempts: 0,
  status: null,
  reason: '',
  nextAttemptAt: null,
  state: 'accepted',
} as const;

describe('alert table', () => {
  const only = (more: Partial<AlertReport>): string => alertTable([alert(more)], now).split('\n')[1] ?? '';

  it('has a header and a row for each entry', () => {
    expect(alertTable([alert()], now)).toBe(
      [
        'SINCE  STATE   SEVERITY  CLUSTER  RULE          LABELS            INCIDENT  NOTIFIED  SUMMARY',
        '1h 1m  firing  warning   prod     disk_filling  node=m1 mount=/d  k1-7      -         The disk of m1 fills.',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [{ phase: 'pending' as const }, ' pending '],
    [{ phase: 'pending' as const, incident: '' }, 'mount=/d  -  '],
    [{ acknowledgement: { author: 'ada', comment: '', at: '2026-01-31T11:00:00Z' } }, ' acknowledged (ada) '],
    [{ phase: 'resolved' as const, silencedBy: 's1' }, ' resolved '],
    [{ recoveringSince: '2026-01-31T11:30:00Z' }, ' recovering (condition over) '],
    [{ silencedBy: 's1' }, ' silenced (s1) '],
    [{ maintenance: 'sunday' }, ' maintenance (sunday) '],
    [{ unrouted: true }, ' firing, sent to no receiver '],
    [{ unrouted: true }, ' k1-7      no receiver '],
    [{ deliveries: [delivery] }, ' oncall accepted the trigger 11:00:01 UTC '],
    [{ unrouted: true, silencedBy: 's1' }, ' silenced (s1) '],
    [{ inhibitedBy: 'k2' }, ' inhibited by another alert '],
    [{ cluster: '' }, ' (graphwarden) '],
    [{ startsAt: '2026-01-31T12:00:09Z' }, '0s '],
    [{ startsAt: '2026-01-20T10:00:00Z' }, '11d 2h '],
  ])('shows %j', (more, text) => {
    expect(only(more)).toContain(text);
  });

  it('names the inhibiting alert', () => {
    const cause = alert({
      key: 'k2',
      rule: 'node_unreachable',
      labels: { alertname: 'GraphdbNodeUnreachable', node: 'm1' },
    });
    expect(alertTable([alert({ inhibitedBy: 'k2' }), cause], now)).toContain(' inhibited by node_unreachable node=m1 ');
  });

  it('states that it is empty', () => {
    expect(alertTable([], now)).toBe('no alerts\n');
  });

  it('contains no control characters', () => {
    expect(only({ labels: { node: '\u001B[2J' }, annotations: { summary: 'a\nb' } })).toMatch(
      /node= \[2J {2}k1-7 {6}- {9}a b$/,
    );
  });
});

describe('silence table', () => {
  const silence: SilenceReport = {
    id: 's1',
    matchers: ['node=~"m1|m2"', 'severity="warning"'],
    startsAt: '2026-01-31T12:00:00.000Z',
    endsAt: '2026-01-31T14:00:00.000Z',
    author: 'alice',
    reason: 'new\u0007 disks',
  };

  it('has a header and a row for each entry', () => {
    const later = { ...silence, id: 's2', startsAt: '2026-01-31T13:00:00.000Z' };
    expect(silenceTable([silence, later], now)).toBe(
      [
        'ID  STARTS                ENDS                  AUTHOR  MATCHERS                          REASON',
        's1  active                2026-01-31 14:00:00Z  alice   node=~"m1|m2" severity="warning"  new  disks',
        's2  2026-01-31 13:00:00Z  2026-01-31 14:00:00Z  alice   node=~"m1|m2" severity="warning"  new  disks',
        '',
      ].join('\n'),
    );
  });

  it('states that it is empty', () => {
    expect(silenceTable([], now)).toBe('no silences\n');
  });
});
