import { describe, expect, it } from 'vitest';
import type { AlertView } from '../../../src/alert/alert-view.ts';
import type { DeliveryReport } from '../../../src/api/notifications.ts';
import { type IncidentPage, incidentPage } from '../../../src/app/api/incident-page.ts';

const wall = Date.parse('2026-01-31T12:00:00Z');
const incident: AlertView = {
  key: 'a1b2c3d4e5f60718',
  episode: 3,
  rule: 'node_unreachable',
  severity: 'critical',
  phase: 'firing',
  labels: { alertname: 'GraphdbNodeUnreachable', cluster_name: 'prod', node: 'm1', graph: '' },
  annotations: {
    summary: 'Node <m1> is unreachable',
    description: 'Check the host.',
    runbook_url: 'https://docs.example.org/runbook#node_unreachable',
    dashboard_url: 'javascript:alert(1)',
    related_events: 'm2 stopped answering 4s before\nGPE_1#2 changed to Down 2s before',
  },
  startsAt: wall - 3_900_000,
};

/** Returns the page as the text of its elements, one a line. */
function shown(more: Partial<AlertView> = {}, page: Partial<IncidentPage> = {}): string {
  return textOf(
    incidentPage({ incident: { ...incident, ...more }, deliveries: [], log: [], wall, prefix: '/warden', ...page }),
  );
}

function textOf(page: string): string {
  return page
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/\n\s*/g, '\n');
}

describe('incident page', () => {
  it('shows state, texts, related events, labels and links', () => {
    const text = shown();
    for (const part of [
      'Node &lt;m1&gt; is unreachable',
      'Firing since 2026-01-31 10:55:00 UTC, for 1h 5m.',
      'Check the host.',
      'm2 stopped answering 4s before\nGPE_1#2 changed to Down 2s before',
      'a1b2c3d4e5f6-3',
      'node="m1"',
      'https://docs.example.org/runbook#node_unreachable',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('javascript');
    expect(text).not.toContain('graph=');
  });

  it.each([
    [
      { phase: 'resolved' as const, endsAt: wall },
      'Resolved at 2026-01-31 12:00:00 UTC; it began at 2026-01-31 10:55:00 UTC and lasted 1h 5m.',
    ],
    [{ silencedBy: 's1' }, 'for 1h 5m. Silenced (s1).'],
    [{ maintenance: 'sunday' }, 'Suppressed by the maintenance window sunday.'],
    [{ inhibitedBy: 'k' }, 'Inhibited by another alert.'],
    [{ acknowledgement: { author: 'ada', comment: 'on it', at: wall } }, 'By ada at 2026-01-31 12:00:00 UTC: on it'],
  ])('with %j shows %s', (more, text) => {
    expect(shown(more)).toContain(text);
  });

  it('has a form only for a firing incident that is not acknowledged', () => {
    const page = (more: Partial<AlertView>) =>
      incidentPage({ incident: { ...incident, ...more }, deliveries: [], log: [], wall, prefix: '/w' });
    expect(page({})).toContain('action="/w/incidents/a1b2c3d4e5f6-3"');
    expect(page({ phase: 'resolved', endsAt: wall })).not.toContain('<form');
    expect(page({ acknowledgement: { author: 'ada', comment: '', at: wall } })).not.toContain('<form');
  });

  it('shows the latest notification to each receiver', () => {
    const deliveries = [
      delivery({ acceptedAt: '2026-01-31T11:55:02.000Z' }),
      delivery({
        receiver: 'chat',
        state: 'pending',
        queuedAt: '2026-01-31T11:55:00.000Z',
        reason: 'the receiver replied with status 503',
        nextAttemptAt: '2026-01-31T12:00:10.000Z',
      }),
    ];
    expect(shown({}, { deliveries })).toContain(
      'Notified\noncall accepted the trigger 11:55:02 UTC\nchat: trigger pending since 11:55:00 UTC: ' +
        'the receiver replied with status 503, next attempt 12:00:10 UTC\n',
    );
  });

  it('says that an incident was sent to no receiver', () => {
    expect(shown({ unrouted: true })).toContain('Sent to no receiver: its route has none, or none is configured.');
    expect(shown({ unrouted: true })).not.toContain('Notified');
  });

  it('shows the delivery log, or that it cannot be read', () => {
    const { state: _, ...about } = delivery();
    const entry = {
      ...about,
      at: '2026-01-31T11:55:02.000Z',
      incident: 'a1b2c3d4e5f6-3',
      alertname: 'A',
      cluster: 'prod',
    };
    const rest = {
      severity: 'critical',
      labels: {},
      summary: '',
      result: 'accepted',
      status: 202,
      proof: '<ok>',
    } as const;
    const log = [
      { ...entry, ...rest },
      { ...entry, ...rest, result: 'deferred', receiver: 'chat', status: 503, reason: 'no <answer>' } as const,
    ];
    expect(shown({}, { log })).toContain('\n2026-01-31 11:55:02 UTC oncall: trigger accepted (202 &lt;ok&gt;)\n');
    expect(shown({}, { log })).toContain('\n2026-01-31 11:55:02 UTC chat: trigger deferred (no &lt;answer&gt;)\n');
    expect(shown({}, { log: undefined })).toContain('Delivery log\nIt cannot be read now.');
    expect(shown()).not.toContain('Delivery log');
  });
});

function delivery(more: Partial<DeliveryReport> = {}): DeliveryReport {
  const times = { queuedAt: null, acceptedAt: null, nextAttemptAt: null };
  return {
    receiver: 'oncall',
    action: 'trigger',
    attempts: 1,
    status: null,
    reason: '',
    state: 'accepted',
    ...times,
    ...more,
  };
}
