import { z } from 'zod';
import type { Row, Store, StoreChange } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { severities } from '../model/alert.ts';
import type { Silence } from './alerting.ts';
import { type AlertingState, emptyAlertingState, type Incident, type IncidentUpdates } from './incident.ts';
import { contentOf } from './incident-content.ts';
import { formatMatcher } from './matcher.ts';
import { effectsByLead } from './roll-up.ts';
import { matcherField } from './settings.ts';

/** The tables of alerting. */
const alertingTables = { episodes: 'episodes', counters: 'counters', silences: 'silences' } as const;

/** The column that holds the time of the last notification of each receiver. */
const notifiedColumn = 'told';

const timestamp = z.number().min(-8.64e15).max(8.64e15);
const stringMap = z.record(z.string(), z.string());

/** Creates a field for a column with JSON that `schema` describes. */
function jsonColumn<T>(schema: z.ZodType<T>) {
  return z.string().transform((text, context) => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      context.issues.push({ code: 'custom', message: 'does not have the stored format', input: '' });
      return z.NEVER;
    }
  });
}

const labelsSchema = z.object({ labels: stringMap, endsAt: timestamp.exactOptional() });
const causeSchema = z.object({ rule: z.string(), summary: z.string(), startsAt: timestamp, endsAt: timestamp });
const revision = z.int().min(0);

const updatesSchema = z.object({
  revision,
  raised: revision,
  urgent: revision,
  sent: z.record(z.string(), revision),
  formerCause: causeSchema.exactOptional(),
  formerLabels: z.array(labelsSchema),
});

/** The relation of an incident to others, its changes, and whether its notifications are withheld. */
const rollUpSchema = z.object({
  inhibition: z.object({ by: z.string(), endedAt: timestamp.exactOptional() }).exactOptional(),
  lead: z.string().exactOptional(),
  updates: updatesSchema.exactOptional(),
  isWithheld: z.literal(true).exactOptional(),
  withheldFrom: z.array(z.string()).exactOptional(),
});

const incidentRow = z.object({
  place: z.string().min(1),
  key: z.string().min(1),
  number: z.int().min(1),
  cluster: z.string(),
  rule: z.string().min(1),
  severity: z.enum(severities),
  starts_at: timestamp,
  labels: jsonColumn(stringMap),
  identity: jsonColumn(stringMap),
  facts: jsonColumn(stringMap),
  annotations: jsonColumn(stringMap),
  [notifiedColumn]: jsonColumn(z.record(z.string(), timestamp)),
  roll_up: jsonColumn(rollUpSchema),
  /** NULL: not acknowledged. */
  acknowledgement: jsonColumn(z.object({ author: z.string(), comment: z.string(), at: timestamp })).nullable(),
});

const counterRow = z.object({ name: z.literal('episode'), value: z.int().min(0) });

const silenceRow = z.object({
  id: z.string().min(1),
  matchers: jsonColumn(z.array(matcherField)),
  starts_at: timestamp,
  ends_at: timestamp,
  author: z.string(),
  reason: z.string(),
});

/** Stores a firing incident. */
export function incidentUpsert(incident: Incident): StoreChange {
  const { identityKey, key, number, cluster, rule, severity, startsAt, labels, identity, facts, annotations } =
    incident;
  const { notified, acknowledgement, lead, updates, isWithheld, withheldFrom } = incident;
  const related = { lead, inhibition: inhibitionOf(incident), isWithheld, withheldFrom };
  return {
    table: alertingTables.episodes,
    put: {
      place: identityKey,
      key,
      number,
      cluster,
      rule,
      severity,
      starts_at: startsAt,
      labels: JSON.stringify(labels),
      identity: JSON.stringify(identity),
      facts: JSON.stringify(facts),
      annotations: JSON.stringify(annotations),
      [notifiedColumn]: JSON.stringify(notified),
      roll_up: JSON.stringify({ ...related, updates: updates && { ...updates, changedAt: undefined } }),
      acknowledgement: acknowledgement === undefined ? null : JSON.stringify(acknowledgement),
    },
  };
}

/** Returns the inhibition of an incident, and when it ended if its end is not final. */
function inhibitionOf({ suppression, uninhibitedSince }: Incident): z.infer<typeof rollUpSchema>['inhibition'] {
  if (suppression?.kind !== 'inhibition') return undefined;
  return { by: suppression.by, ...(uninhibitedSince && { endedAt: uninhibitedSince.wall }) };
}

/** Returns the stored inhibition of an incident. The time since its end continues. */
function withInhibition(
  { by, endedAt }: NonNullable<z.infer<typeof rollUpSchema>['inhibition']>,
  { wall, mono }: Instant,
): Pick<Incident, 'suppression' | 'uninhibitedSince'> {
  const suppression = { kind: 'inhibition', by } as const;
  if (endedAt === undefined) return { suppression };
  return { suppression, uninhibitedSince: { wall: endedAt, mono: mono - Math.max(0, wall - endedAt) } };
}

/** Deletes an incident. */
export function incidentDeletion({ identityKey, cluster }: Pick<Incident, 'identityKey' | 'cluster'>): StoreChange {
  return { table: alertingTables.episodes, drop: { place: identityKey }, cluster };
}

/** Returns a stored incident as last active at `now`, or undefined if the row is not valid. */
export function incidentFromRow(row: Row, now: Instant): Incident | undefined {
  const read = incidentRow.safeParse(row);
  if (!read.success) return undefined;
  const {
    place: identityKey,
    starts_at: startsAt,
    [notifiedColumn]: notified,
    roll_up: { inhibition, updates, ...rolledUp },
    acknowledgement,
    ...stored
  } = read.data;
  const times = { startsAt, activeAt: now, lastActiveAt: now };
  const acknowledged = acknowledgement === null ? {} : { acknowledgement };
  return {
    ...stored,
    identityKey,
    ...rolledUp,
    ...(updates && { updates: withChangeTime(updates, notified, now) }),
    ...(inhibition && withInhibition(inhibition, now)),
    ...times,
    ...acknowledged,
    notified,
    phase: 'firing',
    for: 0,
    receivers: [],
  };
}

/** Returns stored updates. A change that a receiver was not notified of counts from now on, because its time is not stored. */
function withChangeTime(updates: IncidentUpdates, notified: Incident['notified'], { mono }: Instant): IncidentUpdates {
  const isComplete = Object.keys(notified).every((name) => (updates.sent[name] ?? 0) >= updates.revision);
  return isComplete ? updates : { ...updates, changedAt: mono };
}

/** Stores the highest incident number: it can be ahead of the clock, and its incident can be resolved before a restart. */
export function lastNumberUpsert(value: number): StoreChange {
  return { table: alertingTables.counters, put: { name: 'episode', value } };
}

/** Returns the stored highest incident number, or 0 if the row is not valid. */
function lastNumberFromRow(row: Row): number {
  const read = counterRow.safeParse(row);
  return read.success ? read.data.value : 0;
}

/** Stores a silence. */
export function silenceUpsert({ id, matchers, startsAt, endsAt, author, reason }: Silence): StoreChange {
  const put = {
    id,
    matchers: JSON.stringify(matchers.map(formatMatcher)),
    starts_at: startsAt,
    ends_at: endsAt,
    author,
    reason,
  };
  return { table: alertingTables.silences, put };
}

/** Deletes a silence. */
export function silenceDeletion(id: string): StoreChange {
  return { table: alertingTables.silences, drop: { id } };
}

/** Returns a stored silence, or undefined if the row is not valid. */
export function silenceFromRow(row: Row): Silence | undefined {
  const read = silenceRow.safeParse(row);
  if (!read.success) return undefined;
  const { id, matchers, starts_at: startsAt, ends_at: endsAt, author, reason } = read.data;
  return { id, matchers, startsAt, endsAt, author, reason };
}

/**
 * Restores the stored state. Stored incidents keep firing without further notifications and resolve only after their
 * rule is evaluated. Pending incidents are not stored and start again. Invalid rows are skipped.
 */
export async function restoreAlerting(store: Pick<Store, 'find'>, now: Instant): Promise<AlertingState> {
  const [episodes, counters, silences] = await Promise.all([
    store.find({ table: alertingTables.episodes }),
    store.find({ table: alertingTables.counters }),
    store.find({ table: alertingTables.silences }),
  ]);
  const fired = episodes.ok ? episodes.value.flatMap((row) => incidentFromRow(row, now) ?? []) : [];
  const numbers = counters.ok ? counters.value.map(lastNumberFromRow) : [];
  const quiet = silences.ok ? silences.value.flatMap((row) => silenceFromRow(row) ?? []) : [];
  const effects = effectsByLead(fired);
  return {
    ...emptyAlertingState,
    incidents: new Map(
      fired.map((incident) => [incident.identityKey, withEffects(incident, effects.get(incident.identityKey))]),
    ),
    silences: new Map(quiet.map((silence) => [silence.id, silence])),
    lastNumber: Math.max(0, ...numbers, ...fired.map(({ number }) => number)),
  };
}

/** Receivers were notified of these effects already. */
function withEffects(lead: Incident, effects: readonly Incident[] | undefined): Incident {
  return effects === undefined ? lead : { ...lead, content: contentOf(lead, effects) };
}

/** Returns whether a part of an incident changed that is stored. */
export function isStoredChange(before: Incident | undefined, next: Incident): boolean {
  const stored = ['notified', 'key', 'lead', 'updates', 'labels', 'isWithheld', 'withheldFrom'] as const;
  if (before === next) return false;
  if (before === undefined || stored.some((name) => before[name] !== next[name])) return true;
  const [earlier, later] = [inhibitionOf(before), inhibitionOf(next)];
  return earlier?.by !== later?.by || earlier?.endedAt !== later?.endedAt;
}
