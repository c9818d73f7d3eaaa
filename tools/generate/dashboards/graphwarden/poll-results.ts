import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';
import { threshold } from '../thresholds.ts';

const collector = '{{cluster_name}} {{collector}}';
const node = '{{cluster_name}} {{node}}';
const by = 'sum by (cluster_name, collector)';

/** Series that polls produce, and the nodes that they use. */
export const pollResults = collapsedRow('Series and sources', 6, [
  timeseries(
    'Series',
    'Exposed series of the last polls of each collector.',
    query(`${by} (${deduplicated('graphwarden_collector_series')})`, collector),
    { stacked: true },
  ),
  timeseries(
    'Dropped series',
    'Series of poll results that are not exposed, by reason: over a limit, invalid, duplicate, of a second type, with a reserved name, or implausible.',
    [
      query(
        `sum by (cluster_name, collector, reason) (${increase('graphwarden_collector_series_dropped_total')}) > 0`,
        `${collector} {{reason}}`,
      ),
      query(`${by} (${increase('graphwarden_implausible_entries_total')}) > 0`, `${collector} implausible`),
    ],
    { emptyWhenHealthy: 'no series is dropped' },
  ),
  timeseries(
    'Missing series',
    'Series that are currently not on the metrics page, by reason.',
    query(
      `max by (cluster_name, reason) (${deduplicated('graphwarden_series_dropped')})`,
      '{{cluster_name}} {{reason}}',
    ),
    { emptyWhenHealthy: 'no series is dropped', rules: ['series_dropped'] },
  ),
  timeseries(
    'Failed sources',
    'Failed attempts to poll the facts of a whole cluster from a node, by reason, even if another node then succeeded.',
    query(
      `sum by (cluster_name, collector, reason) (${increase('graphwarden_collector_source_failures_total')}) > 0`,
      `${collector} {{reason}}`,
    ),
    { emptyWhenHealthy: 'every source responds' },
  ),
  timeseries(
    'Source switches',
    'Changes of the node that provides the facts of the whole cluster.',
    query(increase('graphwarden_collector_source_switches_total'), collector),
    { width: 8 },
  ),
  timeseries(
    'Connections to nodes',
    'Open connections to each node, at most four.',
    query(deduplicated('graphwarden_node_sockets'), node),
    { width: 8 },
  ),
  timeseries(
    'Tokens expire in',
    'Time until the token in use for a node expires. Below the line its renewal is overdue.',
    query(`${deduplicated('graphwarden_token_expiration_timestamp_seconds')} - time()`, node),
    {
      unit: 's',
      width: 8,
      scale: {},
      lowIsBad: true,
      emptyWhenHealthy: 'no token with an expiry is in use',
      steps: [
        { from: 0, color: 'red' },
        { from: threshold('token_expiring', 'within'), color: 'green' },
      ],
      rules: ['token_expiring'],
    },
  ),
]);
