import type { RowDefinition } from '../definition.ts';
import { facts, increase, quantile } from '../series.ts';
import { wellAt0 } from '../states.ts';

const receiver = '{{receiver}}';
const nobody = 'there is no receiver of alerts';

/** Whether alerts arrive. */
export const receivers: RowDefinition = {
  title: 'Receivers',
  panels: [
    {
      look: 'state-timeline',
      title: 'Do receivers take alerts?',
      description:
        'Whether each receiver counts as broken: by its last answer, or because it has not answered for long. Its fallback is told instead.',
      unit: 'none',
      width: 24,
      height: 6,
      queries: [{ expr: facts('graphwarden_receiver_failing'), legend: `{{instance}} ${receiver}` }],
      states: wellAt0('takes them', 'failing'),
      emptyWhenHealthy: nobody,
      rules: ['delivery_failing'],
    },
    {
      look: 'timeseries',
      title: 'Owed',
      description: 'Alerts and digests that each receiver is owed.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts('graphwarden_outbox_depth'), legend: `{{instance}} ${receiver}` }],
      emptyWhenHealthy: nobody,
      scale: { min: 0 },
      rules: ['delivery_failing'],
    },
    {
      look: 'timeseries',
      title: 'Oldest that is owed',
      description: 'For how long the oldest of what a receiver is owed has been due.',
      unit: 's',
      width: 8,
      queries: [
        {
          expr: `time() - ${facts('graphwarden_outbox_oldest_timestamp_seconds')}`,
          legend: `{{instance}} ${receiver}`,
        },
      ],
      emptyWhenHealthy: 'nothing is owed',
      rules: ['delivery_failing'],
    },
    {
      look: 'timeseries',
      title: 'Given up',
      description: 'What a receiver did not take for so long, or refused so clearly, that it is no longer tried.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts('graphwarden_outbox_parked'), legend: `{{instance}} ${receiver}` }],
      emptyWhenHealthy: nobody,
      scale: { min: 0 },
      rules: ['delivery_failing'],
    },
    {
      look: 'timeseries',
      title: 'Attempts by result',
      description: 'Attempts to tell a receiver something, by what came of them.',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `sum by (receiver, result) (${increase('graphwarden_notifications_total')}) > 0`,
          legend: `${receiver} {{result}}`,
        },
      ],
      emptyWhenHealthy: 'there is nothing to tell',
      stacked: true,
      scale: { min: 0 },
      rules: ['delivery_failing'],
    },
    {
      look: 'timeseries',
      title: 'Time until accepted',
      description: 'From when something was due to be told until the receiver accepted it, 99th percentile.',
      unit: 's',
      width: 12,
      queries: [{ expr: quantile(0.99, 'graphwarden_notification_latency_seconds', 'receiver'), legend: receiver }],
      emptyWhenHealthy: 'there is nothing to tell',
      scale: { min: 0 },
    },
  ],
};
