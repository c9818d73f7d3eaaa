import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/model/alert.ts';
import { summaryHeadline, summaryText } from '../../src/notify/summary-text.ts';
import { firingAlert, resolvedAlert } from '../support/notifications.ts';

function alerts(count: number, labelsAt: (at: number) => Readonly<Record<string, string>>): readonly Alert[] {
  return Array.from({ length: count }, (_, at) =>
    firingAlert({ labels: { alertname: 'GraphdbNodeUnreachable', ...labelsAt(at) } }),
  );
}

describe('the title of a summary', () => {
  it('has the name of the alert, the labels that all have, and the number of clusters', () => {
    const shared = alerts(50, (at) => ({ cluster_name: `c${at}`, node: 'm3', severity: 'critical' }));
    expect(summaryHeadline(shared)).toBe('GraphdbNodeUnreachable (node=m3): 50 incidents in 50 clusters');
  });

  it('names the cluster if there is only one', () => {
    const nodes = alerts(7, (at) => ({ cluster_name: 'prod', node: `m${at}` }));
    expect(summaryHeadline(nodes)).toBe('GraphdbNodeUnreachable: 7 incidents in cluster prod');
  });

  it('has no cluster for alerts about graphwarden itself', () => {
    expect(summaryHeadline(alerts(7, (at) => ({ receiver: `r${at}` })))).toBe('GraphdbNodeUnreachable: 7 incidents');
  });

  it('has the name of the first cause, which receivers were notified of', () => {
    const formerCause = { rule: 'node_unreachable', summary: 'Node m1 is unreachable', startsAt: 0, endsAt: 1 };
    const continued = alerts(7, () => ({ alertname: 'GraphdbServiceNotOnline' })).map((alert, at) => {
      const labels = { alertname: 'GraphdbNodeUnreachable', cluster_name: `c${at}` };
      return { ...alert, rule: 'service_not_online', formerCause, formerLabels: [{ labels }] };
    });
    expect(summaryHeadline(continued)).toMatch(/^GraphdbNodeUnreachable: 7 incidents/);
    const again = alerts(7, (at) => ({ cluster_name: `c${at}` })).map((alert) => {
      const formerLabels = [{ labels: { alertname: 'GraphdbServiceNotOnline' } }];
      return { ...alert, rule: 'node_unreachable', formerCause, formerLabels };
    });
    expect(summaryHeadline(again)).toMatch(/^GraphdbNodeUnreachable: 7 incidents/);
  });
});

describe('the text of a summary', () => {
  const shared = alerts(150, (at) => ({ cluster_name: `c${at + 1}` }));

  it('names up to 100 clusters in order and lists 20 incidents', () => {
    const { paragraphs, lists, id } = summaryText(shared, 'FIRING 150 critical', 'full');
    expect(paragraphs[0]).toMatch(/^Clusters: c1, c2, c3, .*c100, … and 50 more\.$/);
    expect(lists).toMatchObject([{ title: 'Incidents (150)' }]);
    expect(lists[0]?.items).toHaveLength(21);
    expect(lists[0]?.items.at(-1)).toBe('… and 130 more');
    expect(id).toMatch(/^\w+-3, and 149 more$/);
  });

  it('has the duration of each resolved incident', () => {
    const { lists, period } = summaryText([resolvedAlert(), resolvedAlert()], 'RESOLVED 2 critical', 'full');
    expect(lists[0]?.items[0]).toMatch(/, resolved after 3m \(/);
    expect(period).toBe('since 2026-09-22 04:50:00 UTC, until 2026-09-22 04:53:00 UTC (3m)');
  });

  it('has the title only in a shorter form', () => {
    expect(summaryText(shared, 'FIRING 150 critical', 'short')).toMatchObject({ paragraphs: [], lists: [], links: [] });
  });
});
