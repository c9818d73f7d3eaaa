import { describe, expect, it } from 'vitest';
import { dashboardOf, dashboardUrl, incidentUrl, runbookUrlOf, servedRunbookUrl } from '../../src/alert/links.ts';
import { deliveryFailing } from '../../src/alert/rules/delivery-failing.ts';
import { queryOverdue } from '../../src/alert/rules/query-overdue.ts';
import { firingIncident } from './incident-fixture.ts';

const incident = firingIncident('query_overdue', { node: 'm1', graph: 'a&b', query: 'q' });

describe('links of an alert', () => {
  it('lead to the page of the incident', () => {
    expect(incidentUrl({ key: 'a1b2c3d4e5f60718', number: 3 }, 'https://w.example.org/gw//')).toBe(
      'https://w.example.org/gw/incidents/a1b2c3d4e5f6-3',
    );
    expect(incidentUrl(incident, undefined)).toBe('');
  });

  it('lead to the dashboard of the subject, filtered to its labels and the time', () => {
    const url = new URL(dashboardUrl(incident, queryOverdue, 'https://grafana.example.org/sub/'));
    expect(url.origin + url.pathname).toBe('https://grafana.example.org/sub/d/graphwarden-queries');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      from: String(incident.startsAt - 3_600_000),
      to: 'now',
      'var-cluster_name': 'prod',
      'var-node': 'm1',
      'var-graph': 'a&b',
    });
    const own = firingIncident('delivery_failing', {}, { labels: {}, startsAt: 5 });
    expect(dashboardUrl(own, deliveryFailing, 'https://g')).toBe('https://g/d/graphwarden-graphwarden?from=0&to=now');
  });

  it('lead to the runbook of the version', () => {
    expect(runbookUrlOf('1.2.3')).toBe('https://github.com/graphwarden/graphwarden/blob/v1.2.3/docs/runbook.md');
    expect(runbookUrlOf()).toContain('/blob/main/');
  });

  it('lead to the dashboard that the rule names, or to that of its scope', () => {
    expect(dashboardOf({ scope: 'cluster' })).toBe('cluster');
    expect(dashboardOf({ scope: 'cluster', dashboard: 'queries' })).toBe('queries');
    expect(dashboardOf({ scope: 'self' })).toBe('graphwarden');
  });
});

it('the runbook that the daemon serves is below its external address', () => {
  expect(servedRunbookUrl(undefined)).toBeUndefined();
  expect(servedRunbookUrl('https://gw.example.org/warden/')).toBe('https://gw.example.org/warden/docs/runbook');
});
