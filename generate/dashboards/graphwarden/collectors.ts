import type { RowDefinition } from '../definition.ts';
import { facts, increase } from '../series.ts';
import { wellAt1 } from '../states.ts';
import { threshold } from '../thresholds.ts';

const collector = '{{cluster_name}} {{node}} {{collector}}';
const same = 'on (cluster_name, node, collector)';
const last = facts('graphwarden_collector_last_success_timestamp_seconds');
const interval = facts('graphwarden_collector_interval_seconds');
const configured = facts('graphwarden_collector_configured_interval_seconds');

/** Whether it sees, and how well. */
export const collectors: RowDefinition = {
  title: 'Collectors',
  panels: [
    {
      look: 'state-timeline',
      title: 'Last readings',
      description: 'Whether the last reading of each collector was good; those of a whole cluster have no node.',
      unit: 'none',
      width: 24,
      height: 10,
      queries: [{ expr: facts('graphwarden_collector_success'), legend: collector }],
      states: wellAt1('failed', 'good'),
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
