import { counter, gauge, histogram, type Metric } from '../metric/metric.ts';

const source = 'delivery';

/** Attempts, by what was to be told and what it came to. */
export const notifications = counter({
  name: 'graphwarden_notifications_total',
  help: 'Attempts to tell a receiver something, one for each alert in a letter; a refresh repeats what a receiver would forget.',
  labels: ['receiver', 'action', 'result'],
  source,
});

/** How long something waited to be told. */
export const latency = histogram({
  name: 'graphwarden_notification_latency_seconds',
  help: 'Time from when something was due to be told until the receiver accepted it.',
  labels: ['receiver'],
  source,
});

/** What is owed. */
export const depth = gauge({
  name: 'graphwarden_outbox_depth',
  help: 'What is owed to a receiver: alerts and a digest.',
  labels: ['receiver'],
  source,
});

/** Since when something is owed. */
export const oldest = gauge({
  name: 'graphwarden_outbox_oldest_timestamp_seconds',
  help: 'When the oldest of what is owed to a receiver became due; absent where nothing is owed.',
  labels: ['receiver'],
  source,
});

/** What was given up. */
export const parked = gauge({
  name: 'graphwarden_outbox_parked',
  help: 'What a receiver did not take for so long, or so clearly, that it is no longer tried.',
  labels: ['receiver'],
  source,
});

/** Whether alerts reach it. */
export const failing = gauge({
  name: 'graphwarden_receiver_failing',
  help: 'Whether the last answer of a receiver made it count as broken, or it has not answered for long.',
  labels: ['receiver'],
  source,
});

/** All that delivery shows. */
export const deliveryMetrics: readonly Metric[] = [notifications, latency, depth, oldest, parked, failing];
