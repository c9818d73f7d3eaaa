import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';

const isOff = 'the collector detached_queries is disabled by default';
const place = '{{cluster_name}} {{node}} {{graph}}';

/** Queries in detached mode, for which no client waits. */
export const detached = collapsedRow('Detached queries', 8, [
  timeseries(
    'Detached queries',
    'Queries that run in detached mode, and those of them that exceed their timeout.',
    [
      query(`${deduplicated('graphdb_detached_queries_running')} > 0`, `${place} running`),
      query(deduplicated('graphdb_detached_queries_overdue'), `${place} overdue`),
    ],
    { emptyWhenHealthy: isOff, rules: ['query_overdue'] },
  ),
  timeseries(
    'Oldest detached query',
    'Age of the oldest query that runs in detached mode.',
    query(deduplicated('graphdb_detached_query_oldest_age_seconds'), place),
    { unit: 's', emptyWhenHealthy: isOff },
  ),
  timeseries(
    'Ended detached queries',
    'Queries in detached mode that have ended, by outcome. Clients are not notified of a timeout or an abort of these queries.',
    query(
      `sum by (cluster_name, graph, outcome) (${increase('graphdb_detached_queries_ended_total')})`,
      '{{cluster_name}} {{graph}} {{outcome}}',
    ),
    { emptyWhenHealthy: isOff },
  ),
]);
