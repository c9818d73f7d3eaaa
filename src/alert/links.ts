import { shortIncidentId } from '../model/alert.ts';
import type { Incident } from './incident.ts';
import type { Dashboard, Rule } from './rule.ts';

/** Returns the address of the runbook of a version, or of the newest one. */
export function runbookUrlOf(version?: string): string {
  const reference = version === undefined ? 'main' : `v${version}`;
  return `https://github.com/graphwarden/graphwarden/blob/${reference}/docs/runbook.md`;
}

/** Returns the address of the runbook that the daemon serves; undefined without an external address. */
export function servedRunbookUrl(externalUrl: string | undefined): string | undefined {
  return externalUrl === undefined ? undefined : `${withoutSlash(externalUrl)}/docs/runbook`;
}

/** Returns the dashboard with the panels about a rule. */
export function dashboardOf({ scope, dashboard }: Pick<Rule, 'scope' | 'dashboard'>): Dashboard {
  return dashboard ?? (scope === 'cluster' ? 'cluster' : 'graphwarden');
}

/** Labels that are variables of the dashboards. */
const dashboardVariables = ['cluster_name', 'node', 'graph'];

/** Returns the dashboard of an alert, filtered to its labels and to the time from an hour before its start. */
export function dashboardUrl(
  { labels, startsAt }: Pick<Incident, 'labels' | 'startsAt'>,
  rule: Pick<Rule, 'scope' | 'dashboard'>,
  grafanaUrl: string,
): string {
  const query = new URLSearchParams({ from: String(Math.max(0, Math.round(startsAt) - 3_600_000)), to: 'now' });
  for (const name of dashboardVariables) {
    const value = labels[name] ?? '';
    if (value !== '') query.set(`var-${name}`, value);
  }
  return `${withoutSlash(grafanaUrl)}/d/graphwarden-${dashboardOf(rule)}?${query.toString()}`;
}

/** Returns the page of an incident; `''` without an external address. */
export function incidentUrl(
  { key, number }: Pick<Incident, 'key' | 'number'>,
  externalUrl: string | undefined,
): string {
  if (externalUrl === undefined) return '';
  return `${withoutSlash(externalUrl)}/incidents/${shortIncidentId({ key, episode: number })}`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
