import { describe, expect, it } from 'vitest';
import { rules } from '../../../../src/alert/rules/all.ts';
import { alertLinks } from '../../../../tools/generate/rules/alert-links.ts';
import { alertGroups } from '../../../../tools/generate/rules/rule-files.ts';
import { committed, panelsOf } from '../dashboards/model.ts';

const chosen = '?var-cluster_name={{ $labels.cluster_name }}';
/** Returns dashboards with a panel that links the runbook entry of a rule. */
function shownOn(rule: string): readonly string[] {
  const about = committed.filter(([, dashboard]) =>
    panelsOf(dashboard).some(({ links }) => links.some(({ url }) => url?.endsWith(`#${rule}`))),
  );
  return about.map(([, { uid }]) => `/d/${uid}`);
}

describe('alertLinks', () => {
  it.each(rules.filter(({ name }) => name !== 'watchdog'))('$name links a dashboard with its metric', (rule) => {
    const { dashboard_url: url, runbook_url: runbook } = alertLinks(rule);
    expect(shownOn(rule.name)).toContain(url.split('?')[0]);
    expect(url.endsWith(chosen)).toBe(rule.scope === 'cluster');
    expect(runbook).toMatch(new RegExp(`#${rule.name}$`));
  });

  it('uses the dashboard of a similar rule, or of graphwarden itself', () => {
    const alike = { name: 'tea_burning', scope: 'cluster', like: 'query_overdue' } as const;
    expect(alertLinks(alike).dashboard_url).toBe(`/d/graphwarden-queries${chosen}`);
    expect(alertLinks({ name: 'gone', scope: 'self' }).dashboard_url).toBe('/d/graphwarden-graphwarden');
  });

  it('links existing dashboards', () => {
    const uids = committed.map(([, { uid }]) => uid);
    const led = alertGroups().flatMap(({ rules: all }) =>
      all.flatMap((rule) => ('alert' in rule ? [rule.annotations.dashboard_url ?? ''] : [])),
    );
    expect(led.filter((url) => !uids.some((uid) => url.split('?')[0] === `/d/${uid}`))).toEqual([]);
    expect(new Set(led).size).toBeGreaterThan(3);
  });
});
