import type { Digest } from '../kernel/digest.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { RuleSettings } from './alerting.ts';
import type { Episode } from './episode.ts';
import { alertName, placeOf } from './identity.ts';
import type { Rule, Verdict } from './rule.ts';

/** A verdict with all that the alert of it will be. */
export interface Judged {
  readonly place: string;
  readonly verdict: Verdict;
  readonly rule: Rule;
  readonly settings: RuleSettings;
  readonly cluster: string;
  /** The cluster's own. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Puts a verdict in its place; the severity is the configured one unless the verdict knows better. */
export function judged(
  verdict: Verdict,
  rule: Rule,
  settings: RuleSettings,
  { cluster, labels }: Pick<Judged, 'cluster' | 'labels'>,
): Judged {
  const severity = severityOf({ verdict, rule, settings });
  return { place: placeOf(cluster, rule.name, severity, verdict.labels), verdict, rule, settings, cluster, labels };
}

/** Whoever configures another severity than the rule's means it for all of its verdicts. */
export function severityOf({
  verdict,
  rule,
  settings,
}: Pick<Judged, 'verdict' | 'rule' | 'settings'>): RuleSettings['severity'] {
  return settings.severity === rule.severity ? (verdict.severity ?? settings.severity) : settings.severity;
}

/** The first sight of something: it is pending, for however short a hold. */
export function begun(one: Judged, digest: Digest, now: Instant): Episode {
  const { place, verdict, rule, settings, cluster, labels } = one;
  const severity = severityOf(one);
  const names = { alertname: alertName(rule), severity, ...(cluster === '' ? {} : { cluster_name: cluster }) };
  return {
    place,
    key: digest.sha256(place),
    cluster,
    rule: rule.name,
    severity,
    labels: { ...settings.labels, ...labels, ...verdict.labels, ...names },
    identity: verdict.labels,
    facts: verdict.facts,
    receivers: verdict.receivers ?? [],
    annotations: {},
    phase: 'pending',
    number: 0,
    startsAt: Math.min(verdict.since ?? now.wall, now.wall),
    hold: holdOf(one),
    seenAt: now,
    lastSo: now,
    told: {},
  };
}

/** Whether what is pending has lasted long enough. */
export function hasHeld({ startsAt, seenAt }: Episode, one: Judged, now: Instant): boolean {
  // The facts may tell since when it is so; from the first sight on, no step of the clock lengthens or shortens it.
  const before = seenAt.wall - startsAt;
  return before + now.mono - seenAt.mono >= holdOf(one);
}

/** How long it has to be so; whoever configures another hold than the rule's means it for all of its verdicts. */
export function holdOf({ verdict, rule, settings }: Judged): Millis {
  return settings.hold === rule.hold ? (verdict.hold ?? settings.hold) : settings.hold;
}
