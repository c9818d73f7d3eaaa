import { z } from 'zod';
import { severities } from '../model/alert.ts';
import { deliveryStatuses, loggedActions, notificationResults } from '../model/delivery.ts';
import { countField, labelsField, nameField, textField, timestampField } from './fields.ts';

const maxStatus = 599;

/** Fields that a notification and the delivery of an alert have in common. */
const deliveryFields = {
  receiver: nameField.min(1).describe('Receiver.'),
  action: z.enum(loggedActions).describe('Kind of the notification. A digest summarizes several incidents.'),
  queuedAt: timestampField
    .nullable()
    .describe('When the notification became due; null if that is unknown or nothing is due.'),
  acceptedAt: timestampField
    .nullable()
    .describe('When the receiver accepted the notification; null before that, and if the time is unknown.'),
  attempts: countField.describe('Number of attempts so far.'),
  status: z.int().min(0).max(maxStatus).nullable().describe('HTTP status of the last response; null without one.'),
  reason: textField.describe('Why the last failed attempt failed, or why nothing is sent; may be empty.'),
  nextAttemptAt: timestampField.nullable().describe('Earliest time of the next attempt; null if there is none.'),
};

/** Latest notification of an alert to one receiver. */
export const deliverySchema = z
  .object({
    ...deliveryFields,
    state: z.enum(deliveryStatuses).describe('Whether the receiver accepted its latest notification.'),
  })
  .meta({
    id: 'Delivery',
    description: 'Latest notification of an alert to one receiver.',
    examples: [
      {
        receiver: 'oncall',
        action: 'trigger',
        queuedAt: null,
        acceptedAt: '2026-01-31T12:00:01.000Z',
        attempts: 0,
        status: null,
        reason: '',
        nextAttemptAt: null,
        state: 'accepted',
      },
    ],
  });

/** Delivery, as the API returns it. */
export type DeliveryReport = z.infer<typeof deliverySchema>;

/** Entry of the delivery log. */
export const notificationSchema = z
  .object({
    at: timestampField.describe('When the result was known; the time in `queuedAt` while the result is `pending`.'),
    ...deliveryFields,
    result: z
      .enum(notificationResults)
      .describe(
        'Result: `pending` (not attempted yet), `accepted`, `deferred` (failed, is retried), `rejected` (by the receiver), ' +
          '`parked` (no longer retried), `withdrawn` (the incident ended or was suppressed before), `superseded` (by a later notification).',
      ),
    incident: nameField.describe('ID of the incident, as in notifications; empty for a digest.'),
    alertname: nameField.describe('Name of the alert; empty for a digest.'),
    cluster: nameField.describe('Cluster; empty for a digest, and for an alert about graphwarden itself.'),
    severity: z.enum(['', ...severities]).describe('Severity; empty for a digest.'),
    labels: labelsField.describe('Labels of the alert.'),
    summary: textField.describe('Summary of the alert when it was sent.'),
    proof: textField.describe('Beginning of the response with which the receiver accepted the notification.'),
  })
  .meta({
    id: 'Notification',
    description: 'Entry of the delivery log: the result of a notification to one receiver.',
    examples: [
      {
        at: '2026-01-31T12:00:01.000Z',
        receiver: 'oncall',
        action: 'trigger',
        queuedAt: '2026-01-31T12:00:00.000Z',
        acceptedAt: '2026-01-31T12:00:01.000Z',
        attempts: 1,
        status: 202,
        reason: '',
        nextAttemptAt: null,
        result: 'accepted',
        incident: '5f0c1f6f3a6e-7',
        alertname: 'GraphdbDiskFilling',
        cluster: 'prod',
        severity: 'warning',
        labels: { alertname: 'GraphdbDiskFilling', severity: 'warning', cluster_name: 'prod', node: 'm1' },
        summary: 'The disk of m1 is full in 3 h.',
        proof: '{"status":"success","message":"Event processed"}',
      },
    ],
  });

/** Entry of the delivery log, as the API returns it. */
export type NotificationReport = z.infer<typeof notificationSchema>;
