import { type FailureReason, failureReasons } from '../../../src/kernel/failure.ts';
import type { RowDefinition, State } from '../definition.ts';
import { facts, increase, series } from '../series.ts';
import { threshold } from '../thresholds.ts';

const collector = '{{cluster_name}} {{node}} {{collector}}';
const same = 'on (cluster_name, node, collector)';
const last = facts('graphwarden_collector_last_success_timestamp_seconds');
const interval = facts('graphwarden_collector_interval_seconds');
const configured = facts('graphwarden_collector_configured_interval_seconds');

const colors: Readonly<Record<FailureReason, string>> = {
  timeout: 'orange',
  unreachable: 'red',
  tls: 'dark-red',
  auth: 'purple',
  status: 'dark-orange',
  body: 'yellow',
  too_large: 'super-light-yellow',
  unsupported: 'blue',
};

/** One number for each reason of a failure, so that a band can name it. */
const outcomes: readonly State[] = [
  { value: 0, text: 'good', color: 'green' },
  ...failureReasons.map((reason, at) => ({ value: at + 1, text: reason, color: colors[reason] })),
];

/** The number of the reason for which the last reading failed; 0 where it was good. */
const outcome = [
  ...failureReasons.map((reason, at) => `${at + 1} * ${failing(reason)}`),
  `0 * (${facts('graphwarden_collector_success')} == 1)`,
].join(' or ');

function failing(reason: FailureReason): string {
  return `max by (cluster_name, node, collector) (${series('graphwarden_collector_failing', `reason="${reason}"`)})`;
}

/** Whether it sees, and how well. */
export const collectors: RowDefinition = {
  title: 'Collectors',
  panels: [
    {
      look: 'state-timeline',
      title: 'Last readings',
      description:
        'Whether the last reading of each collector was good, and if not, why it failed; those of a whole cluster have no node.',
      unit: 'none',
      width: 24,
      height: 10,
      queries: [{ expr: outcome, legend: collector }],
      states: outcomes,
      rules: ['collector_blind', 'auth_failed'],
    },
    {
      look: 'timeseries',
      title: 'Age of readings, in intervals',
      description:
        'Time since the last good reading of each collector, in intervals as configured; above the line it counts as blind.',
      unit: 'short',
      width: 12,
      queries: [{ expr: `(time() - (${last} > 0)) / ${same} ${configured}`, legend: collector }],
      steps: [
        { from: 0, color: 'green' },
        { from: threshold('collector_blind', 'intervals'), color: 'orange' },
      ],
      scale: { min: 0 },
      rules: ['collector_blind'],
    },
    {
      look: 'timeseries',
      title: 'Duration of readings, in intervals',
      description: 'How much of its interval the last reading of each collector took: near 1 it is stretched.',
      unit: 'percentunit',
      width: 12,
      queries: [
        { expr: `${facts('graphwarden_collector_duration_seconds')} / ${same} ${interval}`, legend: collector },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Failures',
      description: 'Failed readings of collectors, by reason.',
      unit: 'short',
      width: 12,
      queries: [{ expr: `${increase('graphwarden_collector_failures_total')} > 0`, legend: `${collector} {{reason}}` }],
      emptyWhenHealthy: 'no reading fails',
      scale: { min: 0 },
      rules: ['collector_blind', 'auth_failed', 'node_unreachable'],
    },
    {
      look: 'timeseries',
      title: 'Skipped',
      description: 'Beats at which a collector was due and did not read, by reason.',
      unit: 'short',
      width: 12,
      queries: [{ expr: `${increase('graphwarden_collector_skipped_total')} > 0`, legend: `${collector} {{reason}}` }],
      emptyWhenHealthy: 'no reading is skipped',
      scale: { min: 0 },
    },
  ],
};
