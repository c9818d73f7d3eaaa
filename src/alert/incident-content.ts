import type { Instant } from '../kernel/time.ts';
import { type AlertEffects, type FormerLabels, type Severity, severities } from '../model/alert.ts';
import type { Incident, IncidentContent, IncidentUpdates } from './incident.ts';

/** Most effects that a notification lists. */
const maxListed = 20;

/** Most former label sets of one incident. */
const maxFormerLabels = 5;

const initialUpdates: IncidentUpdates = { revision: 0, raised: 0, urgent: 0, sent: {}, formerLabels: [] };

/** Returns the severity with which receivers are notified: that of the most severe alert in the incident. */
export function notifiedSeverity({ content, severity }: Incident): Severity {
  return content?.severity ?? severity;
}

/** Returns the labels with which receivers are notified. */
export function notifiedLabels(incident: Incident): Incident['labels'] {
  const severity = notifiedSeverity(incident);
  return severity === incident.severity ? incident.labels : { ...incident.labels, severity };
}

/** Returns the effects as receivers get them. The same problem with another severity is not an effect. */
export function describeEffects(lead: Incident, effects: readonly Incident[]): AlertEffects | undefined {
  const others = effects.filter((effect) => !isSameProblem(lead, effect));
  if (others.length === 0) return undefined;
  const listed = others.toSorted(bySeverity).slice(0, maxListed);
  return {
    count: others.length,
    listed: listed.map(({ rule, severity, annotations, startsAt }) => {
      return { rule, severity, summary: annotations.summary ?? '', startsAt };
    }),
  };
}

/** Returns whether any receiver was notified of an incident. */
export function isNotified({ notified }: Incident): boolean {
  return Object.keys(notified).length > 0;
}

/** Returns the content of the next notification of an incident. */
export function contentOf(lead: Incident, effects: readonly Incident[]): IncidentContent {
  const severity = mostSevere([lead, ...effects]);
  return { severity, effects: effects.map(({ identityKey }) => identityKey) };
}

/** Returns an incident with its present effects; adds a revision if receivers were notified of other effects. */
export function withContent(lead: Incident, effects: readonly Incident[], now: Instant): Incident {
  const before = lead.content ?? { severity: lead.severity, effects: [] };
  const content = contentOf(lead, effects);
  const current = withEndedLabels(lead, effects, now);
  if (isSameContent(before, content)) return current;
  if (!isNotified(lead)) return { ...lead, content };
  const known = new Set(before.effects);
  const isUrgent = effects.some(({ identityKey, severity }) => severity === 'critical' && !known.has(identityKey));
  const isRaised = isMoreSevere(content.severity, before.severity);
  const updates = changed(updatesOf(current), isRaised ? 'raised' : isUrgent ? 'urgent' : 'change', now.mono);
  if (content.severity === before.severity) return { ...lead, content, updates };
  const labels = notifiedLabels({ ...lead, content: before });
  const ended = isRaised ? {} : { endsAt: now.wall };
  return {
    ...lead,
    content,
    updates: withFormerLabels(updates, { labels, ...ended }, notifiedLabels({ ...lead, content })),
  };
}

/** Returns the updates of an incident, also of one that never changed. */
export function updatesOf({ updates = initialUpdates }: Incident): IncidentUpdates {
  return updates;
}

/** Urgency of a change: a higher severity is sent immediately, a new critical effect or another cause after seconds. */
export type ChangeKind = 'raised' | 'urgent' | 'change';

/** Returns the updates after one more change. */
export function changed(updates: IncidentUpdates, kind: ChangeKind, mono: number): IncidentUpdates {
  const revision = updates.revision + 1;
  const raised = kind === 'raised' ? revision : updates.raised;
  const urgent = kind === 'change' ? updates.urgent : revision;
  return { ...updates, revision, raised, urgent, changedAt: updates.changedAt ?? mono };
}

/** Adds labels that an incident had; `current` are its labels now, which it may have had before as well. */
export function withFormerLabels(
  updates: IncidentUpdates,
  former: FormerLabels,
  current: Incident['labels'],
): IncidentUpdates {
  const kept = updates.formerLabels.filter(({ labels }) => !isSameLabels(labels, former.labels));
  const others = [...kept, former].filter(({ labels }) => !isSameLabels(labels, current));
  return { ...updates, formerLabels: others.slice(-maxFormerLabels) };
}

/** Orders incidents by severity, the oldest first. */
export function bySeverity(one: Incident, other: Incident): number {
  const rank = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  return rank === 0 ? one.startsAt - other.startsAt : rank;
}

/** Returns whether a severity is higher than another one. */
export function isMoreSevere(one: Severity, other: Severity): boolean {
  return severities.indexOf(one) < severities.indexOf(other);
}

/** Returns whether two alerts differ at most in their severity. */
function isSameProblem(one: Incident, other: Incident): boolean {
  return one.rule === other.rule && isSameLabels(one.identity, other.identity);
}

/** Ends former labels of effects that are over, unless they belong to another severity of the cause. */
export function withEndedLabels(lead: Incident, firing: readonly Incident[], now: Instant): Incident {
  const updates = updatesOf(lead);
  const isOver = ({ labels, endsAt }: FormerLabels): boolean =>
    endsAt === undefined && [lead, ...firing].every((one) => !isSameExceptSeverity(one.labels, labels));
  if (!updates.formerLabels.some(isOver)) return lead;
  const formerLabels = updates.formerLabels.map((one) => (isOver(one) ? { ...one, endsAt: now.wall } : one));
  return { ...lead, updates: changed({ ...updates, formerLabels }, 'change', now.mono) };
}

function isSameExceptSeverity(one: Incident['labels'], other: Incident['labels']): boolean {
  return isSameLabels({ ...one, severity: '' }, { ...other, severity: '' });
}

/** Returns whether two sets of labels or facts are equal. */
export function isSameLabels(one: Incident['labels'], other: Incident['labels']): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function isSameContent(one: IncidentContent, other: IncidentContent): boolean {
  return (
    one.severity === other.severity &&
    one.effects.length === other.effects.length &&
    one.effects.every((key, at) => key === other.effects[at])
  );
}

function mostSevere(incidents: readonly Incident[]): Severity {
  const found = new Set(incidents.map(({ severity }) => severity));
  return severities.find((severity) => found.has(severity)) ?? 'info';
}
