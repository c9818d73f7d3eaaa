import { greenBelow, query, row, timeseries } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';
import { threshold } from '../thresholds.ts';

const delayedLimit = deduplicated('graphdb_workload_queue_delayed_limit');
const hasFullDelayQueue = `${deduplicated('graphdb_workload_queue_delayed_queries')} >= ${threshold('queue_saturated', 'share')} * ${delayedLimit}`;
const runsAll = `${deduplicated('graphdb_workload_queue_running_queries')} >= (${deduplicated('graphdb_workload_queue_running_limit')} > 0)`;
const byCluster = 'by (cluster_name)';

/** Use of the workload queues of the engines, relative to their limits. */
export const queues = row('Workload queues', 12, [
  usage(
    'Queues: running',
    'running',
    'Running queries of a queue, as a share of the queries that it can run at once. Queries beyond that wait.',
  ),
  usage(
    'Queues: waiting',
    'delayed',
    'Waiting queries of a queue, as a share of the queries that it can hold. The server rejects queries beyond that.',
  ),
  timeseries(
    'Full queues and timeouts',
    'Number of full workload queues, which reject queries, and of client requests that timed out. A value of 1 or more is red.',
    [
      query(
        `count ${byCluster} (${hasFullDelayQueue} and ${runsAll}) or 0 * max ${byCluster} (${delayedLimit})`,
        '{{cluster_name}} full queues',
      ),
      query(
        `sum ${byCluster} (${deduplicated('graphdb_endpoint_recent_requests', 'outcome="timeout"')})`,
        '{{cluster_name}} timeouts in 60 s',
      ),
    ],
    { steps: greenBelow(1, 'red'), rules: ['queue_saturated', 'endpoint_timeouts'] },
  ),
  timeseries(
    'Rejected requests of graphwarden',
    'Requests of graphwarden that nodes rejected, by reason.',
    query(
      `sum by (cluster_name, reason) (${increase('graphwarden_calls_rejected_total')}) > 0`,
      '{{cluster_name}} {{reason}}',
    ),
    { emptyWhenHealthy: 'no request is rejected' },
  ),
]);

function usage(title: string, what: 'running' | 'delayed', description: string): ReturnType<typeof timeseries> {
  const queries = deduplicated(`graphdb_workload_queue_${what}_queries`);
  const limit = deduplicated(`graphdb_workload_queue_${what}_limit`);
  const expr = `${queries} / on (cluster_name, engine, queue) (${limit} > 0)`;
  return timeseries(title, description, query(expr, '{{cluster_name}} {{engine}} {{queue}}'), {
    unit: 'percentunit',
    rules: ['queue_saturated', 'delay_queue_pressure'],
  });
}
