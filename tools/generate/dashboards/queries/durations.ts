import { heatmap, query, queryWithExemplars, row, timeseries } from '../panels.ts';
import { average, rate, selector } from '../promql.ts';

const family = 'graphdb_long_query_duration_seconds';
const most = 15;
const place = '{{cluster_name}} {{graph}}';
const by = ['cluster_name', 'graph'] as const;

/** Durations of queries from the process lists. They do not include queries that ran only between two lists. */
export const durations = row('Durations', 8, [
  heatmap(
    'Distribution of durations',
    'Number of queries that ended, by duration. Points are traces of single queries.',
    queryWithExemplars(`sum by (le) (increase(${selector(`${family}_bucket`)}[$__rate_interval]))`, '{{le}}'),
    { width: 24, height: 9 },
  ),
  timeseries('Average duration', 'Average duration of listed queries.', query(average(family, ...by), place), {
    unit: 's',
  }),
  timeseries(
    'Slowest queries',
    `Average duration of the ${most} slowest queries, by name. \`other\` covers queries that never ran for ten seconds and queries beyond the limit of names.`,
    query(`topk(${most}, ${average(family, ...by, 'query')})`, `${place} {{query}}`),
    { unit: 's' },
  ),
  timeseries(
    'Ended queries',
    'Listed queries that ended, per second, by outcome: finished, timed out, aborted, or lost with their node.',
    query(`sum by (cluster_name, node, outcome) (${rate(`${family}_count`)})`, '{{cluster_name}} {{node}} {{outcome}}'),
    { unit: 'ops', stacked: true },
  ),
]);
