import { greenBelow, query, row, timeseries } from '../panels.ts';
import { deduplicated } from '../promql.ts';
import { threshold } from '../thresholds.ts';

const place = '{{cluster_name}} {{node}} {{graph}}';

/** Running and waiting queries by node. */
export const load = row('Running and waiting', 12, [
  timeseries(
    'Running queries',
    'Queries in the process list of each node.',
    query(deduplicated('graphdb_queries_running'), place),
    { stacked: true },
  ),
  timeseries(
    'Waiting queries',
    'Queries in the delay queue of each node. The limits are in the row Workload queues.',
    query(`sum by (cluster_name, node) (${deduplicated('graphdb_queries_delayed')})`, '{{cluster_name}} {{node}}'),
    { rules: ['delay_queue_pressure'] },
  ),
  timeseries(
    'Oldest running query',
    'Age of the longest running query of each node and graph; 0 without a query.',
    query(deduplicated('graphdb_query_oldest_age_seconds'), place),
    { unit: 's', rules: ['query_overdue'] },
  ),
  timeseries(
    'Longest wait',
    'Longest time that a query has waited in the delay queue. At the line it has used up the usual timeout.',
    query(deduplicated('graphdb_delayed_query_oldest_age_seconds'), place),
    {
      unit: 's',
      steps: greenBelow(threshold('delay_queue_pressure', 'longest_wait'), 'orange'),
      rules: ['delay_queue_pressure'],
    },
  ),
  timeseries(
    'Overdue queries',
    'Queries that still run after their timeout or the configured limit, by name.',
    query(`${deduplicated('graphdb_queries_overdue')} > 0`, `${place} {{query}}`),
    { width: 24, emptyWhenHealthy: 'no query is overdue', rules: ['query_overdue'] },
  ),
]);
