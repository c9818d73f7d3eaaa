import type { RowDefinition } from '../definition.ts';
import { increase, quantile } from '../series.ts';

const policy = '{{cluster_name}} {{policy}}';
const by = 'sum by (cluster_name, policy)';

/** What the guard decided and did. */
export const guardActs: RowDefinition = {
  title: 'Guard: decisions and aborts',
  panels: [
    {
      look: 'timeseries',
      title: 'Decisions',
      description: 'Queries that policies matched, would have aborted while they observe only, and asked to abort.',
      unit: 'short',
      width: 12,
      queries: [
        { expr: `${by} (${increase('graphwarden_guard_matches_total')})`, legend: `${policy} matched` },
        { expr: `${by} (${increase('graphwarden_guard_would_abort_total')})`, legend: `${policy} would abort` },
        { expr: `${by} (${increase('graphwarden_guard_abort_attempts_total')})`, legend: `${policy} asked to abort` },
      ],
      emptyWhenHealthy: 'there is no policy',
      scale: { min: 0 },
      rules: ['query_aborted'],
    },
    {
      look: 'timeseries',
      title: 'Aborts by outcome',
      description: 'How aborts ended, by what the node answered and what its lists said afterwards.',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `sum by (cluster_name, policy, outcome) (${increase('graphwarden_guard_outcomes_total')}) > 0`,
          legend: `${policy} {{outcome}}`,
        },
      ],
      emptyWhenHealthy: 'no query is aborted',
      stacked: true,
      scale: { min: 0 },
      rules: ['query_aborted', 'abort_unconfirmed'],
    },
    {
      look: 'timeseries',
      title: 'Time to react',
      description:
        'From the earliest instant that a policy allows to the call that aborts: median and 99th percentile.',
      unit: 's',
      width: 8,
      queries: [
        {
          expr: quantile(0.5, 'graphwarden_guard_reaction_seconds', 'cluster_name', 'policy'),
          legend: `${policy} median`,
        },
        {
          expr: quantile(0.99, 'graphwarden_guard_reaction_seconds', 'cluster_name', 'policy'),
          legend: `${policy} p99`,
        },
      ],
      emptyWhenHealthy: 'no query is aborted',
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Late decisions',
      description:
        'Decisions that were held up after the earliest instant that their policy allowed, by the first reason.',
      unit: 'short',
      width: 8,
      queries: [
        {
          expr: `sum by (cluster_name, policy, reason) (${increase('graphwarden_guard_late_total')}) > 0`,
          legend: `${policy} {{reason}}`,
        },
      ],
      emptyWhenHealthy: 'no decision is late',
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Decisions that waited for a budget',
      description: 'Decisions that had to wait because a budget had no room.',
      unit: 'short',
      width: 8,
      queries: [
        {
          expr: `sum by (cluster_name, budget) (${increase('graphwarden_guard_budget_exhausted_total')})`,
          legend: '{{cluster_name}} {{budget}}',
        },
      ],
      scale: { min: 0 },
    },
  ],
};
