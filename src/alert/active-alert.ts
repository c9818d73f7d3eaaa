import type { Digest } from '../kernel/system.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { Severity } from '../model/alert.ts';
import type { RuleSettings } from './alerting.ts';
import type { Incident } from './incident.ts';
import { isSameLabels } from './incident-content.ts';
import type { Rule, RuleFinding } from './rule.ts';

/**
 * Returns the alert name of a rule: `GraphdbNodeUnreachable`, or `GraphwardenDeliveryFailing` for a rule about
 * graphwarden.
 */
export function alertName({ name, scope }: Pick<Rule, 'name' | 'scope'>): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${scope === 'cluster' ? 'Graphdb' : 'Graphwarden'}${words.join('')}`;
}

/**
 * Returns the key that distinguishes an incident from all others at the same time. The severity is part of the key,
 * because it is also a label of the alert: an alert with another severity is another alert.
 */
export function identityKeyOf(
  cluster: string,
  rule: string,
  severity: Severity,
  identity: Readonly<Record<string, string>>,
): string {
  const key: string[] = [cluster, rule, severity];
  for (const name of Object.keys(identity).toSorted()) key.push(name, identity[name] ?? '');
  return JSON.stringify(key);
}

/** Finding of a rule with the properties of its alert. */
export interface ActiveAlert {
  readonly identityKey: string;
  readonly finding: RuleFinding;
  readonly rule: Rule;
  readonly settings: RuleSettings;
  readonly cluster: string;
  /** Labels of the cluster. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Cluster of a finding, and the alert at its position in the previous evaluation, which is probably the same. */
export interface FindingContext extends Pick<ActiveAlert, 'cluster' | 'labels'> {
  readonly earlier?: ActiveAlert | undefined;
}

/** Creates the alert of a finding; see {@link severityOf} for its severity. */
export function activeAlert(
  finding: RuleFinding,
  rule: Rule,
  settings: RuleSettings,
  { cluster, labels, earlier }: FindingContext,
): ActiveAlert {
  const severity = severityOf({ finding, rule, settings });
  const isSame =
    earlier !== undefined && severityOf(earlier) === severity && isSameLabels(earlier.finding.labels, finding.labels);
  return {
    identityKey: isSame ? earlier.identityKey : identityKeyOf(cluster, rule.name, severity, finding.labels),
    finding,
    rule,
    settings,
    cluster,
    labels,
  };
}

/** Returns the severity of a finding. A configured severity that differs from the default applies to all findings. */
export function severityOf({
  finding,
  rule,
  settings,
}: Pick<ActiveAlert, 'finding' | 'rule' | 'settings'>): RuleSettings['severity'] {
  return settings.severity === rule.severity ? (finding.severity ?? settings.severity) : settings.severity;
}

/** Creates the incident of a new finding. It is pending first, even if `for` is 0. */
export function pendingIncident(one: ActiveAlert, digest: Digest, now: Instant): Incident {
  const { identityKey, finding, rule, settings, cluster, labels } = one;
  const about = { cluster, rule: rule.name, severity: severityOf(one), identity: finding.labels };
  return {
    ...about,
    identityKey,
    key: digest.sha256(identityKey),
    labels: alertLabels(about, settings.labels, labels),
    facts: finding.facts,
    receivers: finding.receivers ?? [],
    annotations: {},
    phase: 'pending',
    number: 0,
    startsAt: Math.min(finding.since ?? now.wall, now.wall),
    for: pendingPeriod(one),
    activeAt: now,
    lastActiveAt: now,
    notified: {},
  };
}

/** Returns all labels of an alert: those of its rule and its cluster in the configuration, its identity and its names. */
export function alertLabels(
  { cluster, rule, severity, identity }: Pick<Incident, 'cluster' | 'rule' | 'severity' | 'identity'>,
  ofRule: RuleSettings['labels'],
  ofCluster: ActiveAlert['labels'],
): Incident['labels'] {
  const alertname = alertName({ name: rule, scope: cluster === '' ? 'self' : 'cluster' });
  const names = { alertname, severity, ...(cluster === '' ? {} : { cluster_name: cluster }) };
  return { ...ofRule, ...ofCluster, ...identity, ...names };
}

/** Returns how long a pending incident still has to last before it fires. */
export function remainingPeriod({ startsAt, activeAt, for: hold }: Incident, now: Instant): Millis {
  return hold - (activeAt.wall - startsAt) - (now.mono - activeAt.mono);
}

/** Returns whether a pending incident has lasted for its pending period. */
export function isPendingPeriodOver({ startsAt, activeAt }: Incident, one: ActiveAlert, now: Instant): boolean {
  // The start time of the finding can be before the first evaluation. From there on the monotonic clock counts.
  const before = activeAt.wall - startsAt;
  return before + now.mono - activeAt.mono >= pendingPeriod(one);
}

/**
 * Returns the `for` duration of a finding. A configured duration that differs from the default applies to all
 * findings.
 */
export function pendingPeriod({ finding, rule, settings }: ActiveAlert): Millis {
  return settings.for === rule.for ? (finding.for ?? settings.for) : settings.for;
}
