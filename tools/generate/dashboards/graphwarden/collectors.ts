import { type FailureReason, failureReasons } from '../../../../src/kernel/failure.ts';
import type { StateColor } from '../../../../src/model/service.ts';
import type { StateMapping } from '../definition.ts';
import { collapsedRow, greenBelow, query, row, stateTimeline, timeseries } from '../panels.ts';
import { deduplicated, increase, selector } from '../promql.ts';
import { threshold } from '../thresholds.ts';

const collector = '{{cluster_name}} {{node}} {{collector}}';
const same = 'on (cluster_name, node, collector)';
const last = deduplicated('graphwarden_collector_last_success_timestamp_seconds');
const interval = deduplicated('graphwarden_collector_interval_seconds');
const configured = deduplicated('graphwarden_collector_configured_interval_seconds');

const colors: Readonly<Record<FailureReason, StateColor>> = {
  timeout: 'orange',
  unreachable: 'red',
  tls: 'red',
  auth: 'red',
  status: 'orange',
  body: 'orange',
  too_large: 'orange',
  unsupported: 'grey',
};

/** One number per failure reason, so that a band can name it. */
const outcomes: readonly StateMapping[] = [
  { value: 0, text: 'success', color: 'green' },
  ...failureReasons.map((reason, at) => ({ value: at + 1, text: reason, color: colors[reason] })),
];

/** The number of the reason why the last poll failed; 0 if it succeeded. */
const outcome = [
  ...failureReasons.map((reason, at) => `${at + 1} * ${failing(reason)}`),
  `0 * (${deduplicated('graphwarden_collector_success')} == 1)`,
].join(' or ');

function failing(reason: FailureReason): string {
  return `max by (cluster_name, node, collector) (${selector('graphwarden_collector_failing', `reason="${reason}"`)})`;
}

/** Whether polls succeed. */
export const collectors = row('Collectors', 24, [
  stateTimeline(
    'Last poll of each collector',
    'Whether the last poll of each collector succeeded and, if not, why it failed. Collectors of a whole cluster have no node.',
    query(outcome, collector),
    { height: 9, valueMappings: outcomes, rules: ['collector_blind', 'auth_failed'] },
  ),
]);

/** Ages and failures of polls. */
export const polls = collapsedRow('Polls', 12, [
  timeseries(
    'Age of poll results, in intervals',
    'Time since the last successful poll of each collector, in configured intervals. Above the line the alert fires.',
    query(`(time() - (${last} > 0)) / ${same} ${configured}`, collector),
    { steps: greenBelow(threshold('collector_blind', 'intervals'), 'orange'), rules: ['collector_blind'] },
  ),
  timeseries(
    'Duration of polls, in intervals',
    'Share of its interval that the last poll of each collector took. Near 100 % the interval is extended.',
    query(`${deduplicated('graphwarden_collector_duration_seconds')} / ${same} ${interval}`, collector),
    { unit: 'percentunit' },
  ),
  timeseries(
    'Failed polls',
    'Failed polls of collectors, by reason.',
    query(`${increase('graphwarden_collector_failures_total')} > 0`, `${collector} {{reason}}`),
    { emptyWhenHealthy: 'no poll fails', rules: ['collector_blind', 'auth_failed', 'node_unreachable'] },
  ),
  timeseries(
    'Skipped polls',
    'Polls that were due and did not start, by reason.',
    query(`${increase('graphwarden_collector_skipped_total')} > 0`, `${collector} {{reason}}`),
    { emptyWhenHealthy: 'no poll is skipped' },
  ),
]);
