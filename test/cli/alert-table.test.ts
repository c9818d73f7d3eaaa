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
    state: 'firing',
    event: false,
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
        'SEVERITY  SINCE  STATE   SUMMARY                NOTIFIED  INCIDENT  CLUSTER  RULE          LABELS',
        'warning   1h 1m  firing  The disk of m1 fills.  -         k1-7      prod     disk_filling  node=m1 mount=/d',
        '',
      ].join('\n'),
    );
  });

  const silenced = { state: 'suppressed', silencedBy: 's1' } as const;

  it.each([
    [{ phase: 'pending', state: 'pending' } as const, ' pending '],
    [{ phase: 'pending', state: 'pending', incident: '' } as const, ' -         -         prod'],
    [{ acknowledgement: { author: 'ada', comment: '', at: '2026-01-31T11:00:00Z' } }, ' acknowledged by ada '],
    [{ phase: 'resolved', state: 'resolved', silencedBy: 's1' } as const, ' resolved  The disk of m1 fills.  -  '],
    [{ state: 'recovering', recoveringSince: '2026-01-31T11:30:00Z' } as const, ' recovering '],
    [silenced, ' suppressed  The disk of m1 fills.  silenced by s1  '],
    [{ state: 'suppressed', maintenance: 'sunday' } as const, ' maintenance window sunday '],
    [{ unrouted: true }, ' firing  The disk of m1 fills.  no receiver '],
    [{ deliveries: [delivery] }, ' oncall accepted the trigger 11:00:01 UTC '],
    [{ ...silenced, deliveries: [delivery] }, ' silenced by s1; oncall accepted the trigger 11:00:01 UTC '],
    [{ state: 'suppressed', inhibitedBy: 'k2' } as const, ' inhibited by another alert '],
    [{ cluster: '' }, ' (graphwarden) '],
    [{ startsAt: '2026-01-31T12:00:09Z' }, ' 0s '],
    [{ startsAt: '2026-01-20T10:00:00Z' }, ' 11d 2h '],
  ])('shows «$1»', (more, text) => {
    expect(only(more)).toContain(text);
  });

  it('names the inhibiting alert', () => {
    const cause = alert({
      key: 'k2',
      rule: 'node_unreachable',
      labels: { alertname: 'GraphdbNodeUnreachable', node: 'm1' },
    });
    const inhibited = alert({ state: 'suppressed', inhibitedBy: 'k2' });
    expect(alertTable([inhibited, cause], now)).toContain(' inhibited by node_unreachable node=m1 ');
  });

  it('names receivers with the same result together', () => {
    const later = { ...delivery, receiver: 'mail', acceptedAt: '2026-01-31T11:00:09Z' };
    const text = only({ deliveries: [delivery, later, { ...delivery, receiver: 'chat' }] });
    expect(text).toContain(' oncall, chat accepted the trigger 11:00:01 UTC; mail accepted the trigger 11:00:09 UTC ');
  });

  it('shows suppressed alerts last', () => {
    const text = alertTable([alert({ ...silenced, rule: 'one' }), alert({ key: 'k2', rule: 'other' })], now);
    expect(text.indexOf(' other ')).toBeLessThan(text.indexOf(' one '));
  });

  it('shows an event with its age instead of a state', () => {
    const event = alert({ event: true, rule: 'query_aborted', annotations: { summary: 'ring_scan aborted' } });
    const lines = alertTable([event], now).split('\n');
    expect(lines.slice(0, 3)).toEqual(['no alerts', '', expect.stringMatching(/^EVENT +SUMMARY +NOTIFIED /)]);
    expect(lines[3]).toMatch(/^1h 1m ago {2}ring_scan aborted {2}- /);
    expect(alertTable([event], now)).not.toContain('firing');
  });

  it('states that it is empty', () => {
    expect(alertTable([], now)).toBe('no alerts\n');
  });

  it('contains no control characters', () => {
    expect(only({ labels: { node: '\u001B[2J' }, annotations: { summary: 'a\nb' } })).toMatch(
      / a b {6}- {9}k1-7 {6}prod .* node= \[2J$/,
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
        'ID  STARTS                ENDS                  MATCHERS                          AUTHOR  REASON',
        's1  active                2026-01-31 14:00:00Z  node=~"m1|m2" severity="warning"  alice   new  disks',
        's2  2026-01-31 13:00:00Z  2026-01-31 14:00:00Z  node=~"m1|m2" severity="warning"  alice   new  disks',
        '',
      ].join('\n'),
    );
  });

  it('states that it is empty', () => {
    expect(silenceTable([], now)).toBe('no silences\n');
  });
});
