import { collapsedRow, query, timeseries } from '../panels.ts';
import { average, increase } from '../promql.ts';

const policy = '{{cluster_name}} {{policy}}';
const by = 'sum by (cluster_name, policy)';
const reaction = 'graphwarden_guard_reaction_seconds';

/** Decisions of the guard and their results. */
export const guardActions = collapsedRow('Guard: decisions and aborts', 8, [
  timeseries(
    'Decisions',
    'Queries that policies matched, that policies in observe mode would have aborted, and for which an abort was sent.',
    [
      query(`${by} (${increase('graphwarden_guard_matches_total')})`, `${policy} matched`),
      query(`${by} (${increase('graphwarden_guard_would_abort_total')})`, `${policy} would abort`),
      query(`${by} (${increase('graphwarden_guard_abort_attempts_total')})`, `${policy} abort sent`),
    ],
    { width: 12, emptyWhenHealthy: 'no policy is configured', rules: ['query_aborted'] },
  ),
  timeseries(
    'Aborts by outcome',
    'Outcome of aborts, from the reply of the node and its later process lists.',
    query(
      `sum by (cluster_name, policy, outcome) (${increase('graphwarden_guard_outcomes_total')}) > 0`,
      `${policy} {{outcome}}`,
    ),
    {
      width: 12,
      emptyWhenHealthy: 'no query is aborted',
      stacked: true,
      rules: ['query_aborted', 'abort_unconfirmed'],
    },
  ),
  timeseries(
    'Reaction time',
    'Average time from the earliest abort time to the abort request.',
    query(average(reaction, 'cluster_name', 'policy'), policy),
    { unit: 's', emptyWhenHealthy: 'no query is aborted' },
  ),
  timeseries(
    'Late decisions',
    'Decisions that were delayed after their earliest abort time, by the first reason.',
    query(
      `sum by (cluster_name, policy, reason) (${increase('graphwarden_guard_late_decisions_total')}) > 0`,
      `${policy} {{reason}}`,
    ),
    { emptyWhenHealthy: 'no decision is late' },
  ),
  timeseries(
    'Decisions that waited for a budget',
    'Decisions that waited because a budget was exhausted.',
    query(
      `sum by (cluster_name, budget) (${increase('graphwarden_guard_budget_exhausted_total')})`,
      '{{cluster_name}} {{budget}}',
    ),
  ),
]);
