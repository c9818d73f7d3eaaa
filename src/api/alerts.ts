import { z } from 'zod';
import { severities } from '../model/alert.ts';
import { countField, labelsField, missingField, nameField, textField, timestampField } from './fields.ts';
import { deliverySchema } from './notifications.ts';

/** Phases of an alert, in the order in which they are listed. */
export const alertPhases = ['firing', 'pending', 'resolved'] as const;

/**
 * States of an alert, as the commands, the status page and the documentation name them. `recovering`: the condition is over,
 * and the alert is kept firing. `suppressed`: a silence, a maintenance window or another alert stops its notifications.
 */
export const alertStates = ['firing', 'recovering', 'suppressed', 'pending', 'resolved'] as const;

const maxAcknowledgementLengths = { author: 100, comment: 1000 };

/** Acknowledgement of an incident. */
const acknowledgementSchema = z
  .object({
    author: textField.describe('Who acknowledged the incident.'),
    comment: textField.describe('Comment of the author; may be empty.'),
    at: timestampField.describe('When the incident was acknowledged.'),
  })
  .meta({
    id: 'Acknowledgement',
    description: 'Acknowledgement of an incident: an operator works on it, so it needs no reminders.',
    examples: [{ author: 'ada', comment: 'replacing the disk', at: '2026-01-31T12:03:00.000Z' }],
  });

/** Body of the request that acknowledges an incident. */
export const acknowledgeRequestSchema = z
  .strictObject({
    author: z
      .string()
      .trim()
      .min(1)
      .max(maxAcknowledgementLengths.author)
      .optional()
      .describe('Who acknowledges the incident; the user of the request if absent.'),
    comment: z
      .string()
      .trim()
      .max(maxAcknowledgementLengths.comment)
      .optional()
      .describe('Comment for the other receivers of the incident.'),
  })
  .meta({
    id: 'AcknowledgeRequest',
    description: 'Acknowledgement of a firing incident.',
    examples: [{ author: 'ada', comment: 'replacing the disk' }],
  });

/** Alert. */
export const alertSchema = z
  .object({
    key: nameField.describe('Hash of cluster, rule and identity; the same for each incident of this alert.'),
    episode: countField.describe('Number of the incident; 0 while the alert is pending.'),
    incident: nameField.describe('ID of the incident, as in notifications; empty while the alert is pending.'),
    cluster: nameField.describe('Cluster that the alert is about; empty if it is about graphwarden itself.'),
    rule: nameField.min(1).describe('Alert rule, such as `disk_filling`.'),
    severity: z.enum(severities).describe('Severity.'),
    phase: z.enum(alertPhases).describe('Phase of the alert.'),
    state: z
      .enum(alertStates)
      .describe(
        'State: the phase, except that a firing alert is `suppressed` while a silence, a maintenance window or another alert ' +
          'stops its notifications, and `recovering` while the condition no longer holds and `keep_firing_for` keeps the alert firing.',
      ),
    event: z
      .boolean()
      .describe('Whether the alert reports a past event, such as an aborted query, instead of an ongoing state.'),
    labels: labelsField.describe('Labels, as Alertmanager receives them.'),
    annotations: labelsField.describe('Annotations, such as `summary` and `runbook_url`.'),
    startsAt: timestampField.describe('When the condition began.'),
    endsAt: timestampField.nullable().describe('When the alert was resolved; null before that.'),
    recoveringSince: timestampField
      .nullable()
      .describe(
        'When the condition ended while `keep_firing_for` keeps the alert firing; null while the condition holds.',
      ),
    silencedBy: nameField.nullable().describe('ID of the silence that suppresses notifications.'),
    inhibitedBy: nameField.nullable().describe('Key of the alert that inhibits this one.'),
    maintenance: nameField.nullable().describe('Name of the maintenance window that suppresses notifications.'),
    unrouted: z
      .boolean()
      .describe('Whether the alert was sent to no receiver: its route has none, or none is configured.'),
    deliveries: z
      .array(deliverySchema)
      .max(1000)
      .readonly()
      .describe('Latest notification to each receiver; empty if no receiver is notified.'),
    acknowledgement: acknowledgementSchema.nullable().describe('Acknowledgement of the incident; null without one.'),
  })
  .meta({
    id: 'Alert',
    description: 'Alert that is pending or firing, or was resolved recently.',
    examples: [
      {
        key: '5f0c1f6f3a6e2d11',
        episode: 7,
        incident: '5f0c1f6f3a6e-7',
        cluster: 'prod',
        rule: 'disk_filling',
        severity: 'warning',
        phase: 'firing',
        state: 'firing',
        event: false,
        labels: { alertname: 'GraphDbDiskFilling', severity: 'warning', cluster_name: 'prod', node: 'm1' },
        annotations: { summary: 'The disk of m1 is full in 3 h.' },
        startsAt: '2026-01-31T12:00:00.000Z',
        endsAt: null,
        recoveringSince: null,
        silencedBy: null,
        inhibitedBy: null,
        maintenance: null,
        unrouted: false,
        deliveries: [],
        acknowledgement: { author: 'ada', comment: 'replacing the disk', at: '2026-01-31T12:03:00.000Z' },
      },
    ],
  });

/** Alert, as the API returns it. */
export type AlertReport = z.infer<typeof alertSchema>;

/** Maximum number of alerts in the preview of a silence. */
export const maxPreviewedAlerts = 10;

const silenceFields = {
  id: nameField.min(1).describe('ID of the silence.'),
  matchers: z
    .array(textField)
    .max(1000)
    .readonly()
    .describe('Matchers, in the notation of Alertmanager; an alert is silenced if all of them match its labels.'),
  startsAt: timestampField.describe('When the silence begins.'),
  endsAt: timestampField.describe('When the silence ends.'),
  author: textField.describe('Who created the silence.'),
  reason: textField.describe('Reason for the silence.'),
};

const previewFields = {
  missing: missingField,
  matchedAlerts: countField.describe('Number of pending and firing alerts that the silence matches now.'),
  alerts: z.array(alertSchema).max(maxPreviewedAlerts).readonly().describe('The most severe of these alerts.'),
  warnings: z
    .array(textField)
    .max(1000)
    .readonly()
    .describe('Matchers that match no configured cluster, node, severity or rule.'),
};

const silenceExample = {
  id: 'k3nq7w2mzp',
  matchers: ['node=~"m1|m2"'],
  startsAt: '2026-01-31T12:00:00.000Z',
  endsAt: '2026-01-31T14:00:00.000Z',
  author: 'alice',
  reason: 'new disks',
};

/** Silence. */
export const silenceSchema = z.object(silenceFields).meta({
  id: 'Silence',
  description: 'Silence that is active or scheduled.',
  examples: [silenceExample],
});

/** Silence, as the API returns it. */
export type SilenceReport = z.infer<typeof silenceSchema>;

/** Alerts that a silence would match. */
export const silencePreviewSchema = z.object(previewFields).meta({
  id: 'SilencePreview',
  description: 'Alerts that a silence would match now.',
  examples: [{ matchedAlerts: 0, alerts: [], warnings: ['matchers.0 matches no configured node'] }],
});

/** Preview of a silence, as the API returns it. */
export type SilencePreviewReport = z.infer<typeof silencePreviewSchema>;

/** Silence that was created. */
export const createdSilenceSchema = z.object({ ...silenceFields, ...previewFields }).meta({
  id: 'CreatedSilence',
  description: 'Silence that was created, with the alerts that it matches now.',
  examples: [{ ...silenceExample, matchedAlerts: 0, alerts: [], warnings: [] }],
});
