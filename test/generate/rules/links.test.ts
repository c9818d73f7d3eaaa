import { describe, expect, it } from 'vitest';
import { alertGroups } from '../../../generate/rules/files.ts';
import { linksOf } from '../../../generate/rules/links.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { committed, panelsOf } from '../dashboards/model.ts';

const chosen = '?var-cluster_name={{ $labels.cluster_name }}';
/** The dashboards with a panel that leads to an entry of the runbook. */
function shownOn(rule: string): readonly string[] {
  const about = committed.filter(([, dashboard]) =>
    panelsOf(dashboard).some(({ links }) => links.some(({ url }) => url?.endsWith(`#${rule}`))),
  );
  return about.map(([, { uid }]) => `/d/${uid}`);
}

describe('the links of an alert', () => {
  it.each(rules.filter(({ name }) => name !== 'watchdog'))('$name leads to a dashboard that shows it', (rule) => {
    const { dashboard_url: url, runbook_url: runbook } = linksOf(rule);
    expect(shownOn(rule.name)).toContain(url.split('?')[0]);
    expect(url.endsWith(chosen)).toBe(rule.scope === 'cluster');
    expect(runbook).toMatch(new RegExp(`#${rule.name}$`));
  });

  it('lead to where a rule about the same is shown, and to graphwarden itself without one', () => {
    const alike = { name: 'tea_burning', scope: 'cluster', like: 'query_overdue' } as const;
    expect(linksOf(alike).dashboard_url).toBe(`/d/graphwarden-queries${chosen}`);
    expect(linksOf({ name: 'gone', scope: 'self' }).dashboard_url).toBe('/d/graphwarden-graphwarden');
  });

  it('lead to dashboards that there are', () => {
    const uids = committed.map(([, { uid }]) => uid);
    const led = alertGroups().flatMap(({ rules: all }) =>
      all.flatMap((rule) => ('alert' in rule ? [rule.annotations.dashboard_url ?? ''] : [])),
    );
    expect(led.filter((url) => !uids.some((uid) => url.split('?')[0] === `/d/${uid}`))).toEqual([]);
    expect(new Set(led).size).toBeGreaterThan(3);
  });
});
