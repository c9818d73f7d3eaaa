import { heatmap, query, queryWithExemplars, row, timeseries } from '../panels.ts';
import { quantile, rate, selector } from '../promql.ts';

const family = 'graphdb_long_query_duration_seconds';
const most = 15;
const place = '{{cluster_name}} {{graph}}';
const by = ['cluster_name', 'graph'] as const;

/** Durations of queries from the process lists. They do not include queries that ran only between two lists. */
export const durations = row('Durations', 8, [
  timeseries(
    'Duration of queries',
    'Median and 99th percentile of the duration of listed queries. Points are traces of single queries.',
    [
      queryWithExemplars(quantile(0.5, family, ...by), `${place} median`),
      queryWithExemplars(quantile(0.99, family, ...by), `${place} p99`),
    ],
    { unit: 's', width: 12 },
  ),
  heatmap(
    'Distribution of durations',
    'Number of queries that ended, by duration. Two bands are two kinds of queries.',
    queryWithExemplars(`sum by (le) (increase(${selector(`${family}_bucket`)}[$__rate_interval]))`, '{{le}}'),
    { width: 12 },
  ),
  timeseries(
    'Ended queries',
    'Listed queries that ended, per second, by outcome: finished, timed out, aborted, or lost with their node.',
    query(`sum by (cluster_name, node, outcome) (${rate(`${family}_count`)})`, '{{cluster_name}} {{node}} {{outcome}}'),
    { unit: 'ops', stacked: true },
  ),
  timeseries(
    'Slowest queries',
    `99th percentile of the duration of the ${most} slowest queries, by name. \`other\` covers queries that never ran for ten seconds and queries beyond the limit of names.`,
    queryWithExemplars(`topk(${most}, ${quantile(0.99, family, ...by, 'query')} > 0)`, `${place} {{query}}`),
    { unit: 's' },
  ),
  timeseries(
    'Average duration',
    'Average duration of listed queries.',
    query(
      `sum by (${by.join(', ')}) (${rate(`${family}_sum`)}) / (sum by (${by.join(', ')}) (${rate(`${family}_count`)}) > 0)`,
      place,
    ),
    { unit: 's' },
  ),
]);
