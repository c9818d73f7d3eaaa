import { describe, expect, it } from 'vitest';
import type { AlertView } from '../../../../src/alert/alert-view.ts';
import { incidentPage } from '../../../../src/app/api/landing/incident.ts';

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
function shown(more: Partial<AlertView> = {}): string {
  const page = incidentPage({ incident: { ...incident, ...more }, wall, prefix: '/warden' });
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
    const page = (more: Partial<AlertView>) => incidentPage({ incident: { ...incident, ...more }, wall, prefix: '/w' });
    expect(page({})).toContain('action="/w/incidents/a1b2c3d4e5f6-3"');
    expect(page({ phase: 'resolved', endsAt: wall })).not.toContain('<form');
    expect(page({ acknowledgement: { author: 'ada', comment: '', at: wall } })).not.toContain('<form');
  });
});
