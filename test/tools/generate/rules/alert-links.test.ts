import { describe, expect, it } from 'vitest';
import { dashboardUrl } from '../../../../src/alert/links.ts';
import { rules } from '../../../../src/alert/rules/all.ts';
import { alertLinks } from '../../../../tools/generate/rules/alert-links.ts';
import { alertGroups } from '../../../../tools/generate/rules/rule-files.ts';
import { committed, panelsOf } from '../dashboards/model.ts';

const grafana = 'http://localhost:3000';
const chosen = '?var-cluster_name={{ $labels.cluster_name | urlquery }}';
/** Returns dashboards with a panel that links the runbook entry of a rule. */
function shownOn(rule: string): readonly string[] {
  const about = committed.filter(([, dashboard]) =>
    panelsOf(dashboard).some(({ links }) => links.some(({ url }) => url?.endsWith(`#${rule}`))),
  );
  return about.map(([, { uid }]) => `${grafana}/d/${uid}`);
}

describe('alertLinks', () => {
  it.each(rules.filter(({ name }) => name !== 'watchdog'))('$name links a dashboard with its metric', (rule) => {
    const { dashboard_url: url, runbook_url: runbook } = alertLinks(rule);
    expect(shownOn(rule.name)).toContain(url.split('?')[0]);
    expect(url.endsWith(chosen)).toBe(rule.scope === 'cluster');
    expect(runbook).toMatch(new RegExp(`#${rule.name}$`));
  });

  it('uses the dashboard that an alert names, or that of its scope', () => {
    const burning = { name: 'tea_burning', scope: 'cluster', dashboard: 'queries' } as const;
    expect(alertLinks(burning).dashboard_url).toBe(`${grafana}/d/graphwarden-queries${chosen}`);
    expect(alertLinks({ name: 'gone', scope: 'self' }).dashboard_url).toBe(`${grafana}/d/graphwarden-graphwarden`);
  });

  it('has absolute links to existing dashboards and variables in each alert of the rule files', () => {
    const alerts = alertGroups().flatMap(({ rules: all }) => all.filter((rule) => 'alert' in rule));
    const led = alerts.map(({ annotations }) => filledIn(annotations.dashboard_url ?? ''));
    expect(led.map(problemOf)).toEqual(led.map(() => ''));
    expect(new Set(led).size).toBeGreaterThan(3);
  });

  it('has absolute links to existing dashboards and variables in each notification', () => {
    const labels = { cluster_name: 'a & b', node: 'm1', graph: 'fraud', service_name: 'GPE', host_id: 'm1' };
    const led = rules.map((rule) => dashboardUrl({ labels, startsAt: 1_790_000_000_000 }, rule, grafana));
    expect(led.map(problemOf)).toEqual(led.map(() => ''));
    for (const [at, { name }] of rules.entries()) {
      if (name !== 'watchdog') expect(shownOn(name)).toContain(led[at]?.split('?')[0]);
    }
  });
});

/** Returns a link as Prometheus fills it in for a cluster whose name has characters with a meaning in URLs. */
function filledIn(url: string): string {
  return url.replace('{{ $labels.cluster_name | urlquery }}', encodeURIComponent('a & b'));
}

/** Returns why a link opens no dashboard, or not for its cluster. */
function problemOf(link: string): string {
  if (!URL.canParse(link)) return `${link} is not absolute`;
  const { origin, pathname, searchParams } = new URL(link);
  const [, dashboard] = committed.find(([, { uid }]) => pathname === `/d/${uid}`) ?? [];
  if (origin !== grafana || dashboard === undefined) return `${link} is not a dashboard`;
  const variables = ['from', 'to', ...dashboard.templating.list.map(({ name }) => `var-${name}`)];
  const unknown = [...searchParams.keys()].filter((name) => !variables.includes(name));
  if (unknown.length > 0) return `${link} sets ${unknown.join()}, which the dashboard does not have`;
  return (searchParams.get('var-cluster_name') ?? 'a & b') === 'a & b' ? '' : `${link} chooses another cluster`;
}
