import { collapsedRow, query, row, stateTimeline, timeseries } from '../panels.ts';
import { average, deduplicated, increase } from '../promql.ts';
import { healthyAtZero } from '../value-mappings.ts';

const receiver = '{{receiver}}';
const receiverOfInstance = `{{instance}} ${receiver}`;
const noReceivers = 'no receiver is configured';
const noNotifications = 'no notification is due';
const rules = ['delivery_failing'];

/** Whether notifications are delivered. */
export const receivers = row('Receivers', 24, [
  stateTimeline(
    'Receivers',
    'Whether each receiver counts as failing, because of its last reply or because it has not replied for long. Its fallback gets the notifications meanwhile.',
    query(deduplicated('graphwarden_receiver_failing'), receiverOfInstance),
    {
      height: 5,
      valueMappings: healthyAtZero('not failing', 'failing'),
      emptyWhenHealthy: noReceivers,
      rules,
    },
  ),
]);

/** Queues and results of notifications. */
export const deliveries = collapsedRow('Deliveries', 8, [
  timeseries(
    'Queued notifications',
    'Alerts and digests that wait for delivery to each receiver.',
    query(deduplicated('graphwarden_outbox_depth'), receiverOfInstance),
    { emptyWhenHealthy: noReceivers, rules },
  ),
  timeseries(
    'Oldest queued notification',
    'Time for which the oldest queued notification of each receiver has been due.',
    query(`time() - ${deduplicated('graphwarden_outbox_oldest_timestamp_seconds')}`, receiverOfInstance),
    { unit: 's', scale: {}, emptyWhenHealthy: 'no notification is queued', rules },
  ),
  timeseries(
    'Dropped notifications',
    'Notifications that are no longer retried, because the receiver failed for too long or rejected them permanently.',
    query(deduplicated('graphwarden_outbox_parked'), receiverOfInstance),
    { emptyWhenHealthy: noReceivers, rules },
  ),
  timeseries(
    'Delivery attempts by result',
    'Attempts to deliver a notification, by result.',
    query(`sum by (receiver, result) (${increase('graphwarden_notifications_total')}) > 0`, `${receiver} {{result}}`),
    { width: 12, emptyWhenHealthy: noNotifications, stacked: true, rules },
  ),
  timeseries(
    'Delivery latency',
    'Average time from when a notification is due until the receiver accepts it.',
    query(average('graphwarden_notification_latency_seconds', 'receiver'), receiver),
    { unit: 's', width: 12, emptyWhenHealthy: noNotifications },
  ),
]);
