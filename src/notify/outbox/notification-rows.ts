import { z } from 'zod';
import type { Row, StoreChange } from '../../kernel/store.ts';
import { severities, shortIncidentId } from '../../model/alert.ts';
import { loggedActions, type NotificationRecord, notificationResults } from '../../model/delivery.ts';
import { truncate } from '../notification-text.ts';

/** Table of the delivery log. */
export const notificationTable = 'notifications';

/** Columns of the delivery log, by query parameter. */
export const notificationColumns: Readonly<Record<string, string>> = {
  receiver: 'receiver',
  alertname: 'alertname',
  cluster: 'cluster',
  incident: 'incident',
  action: 'action',
  result: 'result',
};

const maxLabels = 64;
const maxLabelLength = 300;

/** Returns the change that adds an entry to the log, or replaces that of an earlier attempt with the same result. */
export function notificationInsert(entry: NotificationRecord): StoreChange {
  return { table: notificationTable, put: notificationRow(entry) };
}

/** Returns the row of an entry. Its id is the same for each attempt of a notification with the same result. */
export function notificationRow(entry: NotificationRecord): Row {
  const { receiver, key, episode, action, result, severity, labels, summary, attempts, reason, proof } = entry;
  const at = Math.round(entry.at);
  const queuedAt = rounded(entry.queuedAt);
  const { alertname = '', cluster_name: cluster = '' } = labels;
  return {
    id: JSON.stringify([queuedAt ?? at, receiver, key, episode, action, result]),
    at,
    receiver,
    key,
    episode,
    incident: key === '' ? '' : shortIncidentId(entry),
    alertname,
    cluster,
    severity,
    labels: labelsText(labels),
    summary,
    action,
    result,
    queued_at: queuedAt,
    attempts,
    reason,
    status: entry.status ?? null,
    proof,
    next_attempt_at: rounded(entry.nextAttemptAt),
  };
}

function rounded(time: number | undefined): number | null {
  return time === undefined || !Number.isFinite(time) ? null : Math.round(time);
}

/** The alerts of an incident share their labels. */
const labelTexts = new WeakMap<NotificationRecord['labels'], string>();

function labelsText(labels: NotificationRecord['labels']): string {
  const known = labelTexts.get(labels);
  if (known !== undefined) return known;
  const kept = Object.entries(labels).filter(([, value]) => value !== '');
  const bounded = kept.slice(0, maxLabels).map(([name, value]) => [name, truncate(value, maxLabelLength)] as const);
  const text = JSON.stringify(Object.fromEntries(bounded));
  labelTexts.set(labels, text);
  return text;
}

const timestamp = z.number().min(-8.64e15).max(8.64e15);

const rowSchema = z.object({
  at: timestamp,
  receiver: z.string(),
  key: z.string(),
  episode: z.int(),
  severity: z.enum(['', ...severities]),
  labels: z.string(),
  summary: z.string(),
  action: z.enum(loggedActions),
  result: z.enum(notificationResults),
  queued_at: timestamp.nullable(),
  attempts: z.int().min(0),
  reason: z.string(),
  status: z.int().nullable(),
  proof: z.string(),
  next_attempt_at: timestamp.nullable(),
});
const labelsSchema = z.record(z.string(), z.string());

/** Parses a row; returns undefined for an invalid one. */
export function parseNotification(row: Row): NotificationRecord | undefined {
  const read = rowSchema.safeParse(row);
  if (!read.success) return undefined;
  const { queued_at: queuedAt, next_attempt_at: nextAttemptAt, status, ...rest } = read.data;
  return {
    ...rest,
    labels: parseLabels(rest.labels),
    ...(queuedAt === null ? {} : { queuedAt }),
    ...(nextAttemptAt === null ? {} : { nextAttemptAt }),
    ...(status === null ? {} : { status }),
  };
}

function parseLabels(text: string): NotificationRecord['labels'] {
  try {
    return labelsSchema.catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
