import { query, row, timeseries } from '../panels.ts';
import { deduplicated } from '../promql.ts';

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
]);

function usage(title: string, what: 'running' | 'delayed', description: string): ReturnType<typeof timeseries> {
  const family = `graphdb_workload_queue_${what}`;
  const expr = `${deduplicated(family)} / on (cluster_name, engine, queue) (${deduplicated(`${family}_limit`)} > 0)`;
  return timeseries(title, description, query(expr, '{{cluster_name}} {{engine}} {{queue}}'), {
    unit: 'percentunit',
    rules: ['delay_queue_pressure'],
  });
}
