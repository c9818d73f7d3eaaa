import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';

/** What the server contains, and what changed. */
export const inventory = collapsedRow('Inventory', 12, [
  timeseries(
    'Endpoints',
    'Endpoints of the data plane by kind. The installation of a query adds dynamic endpoints.',
    query(`sum by (cluster_name, kind) (${deduplicated('graphdb_endpoints')})`, '{{cluster_name}} {{kind}}'),
    { emptyWhenHealthy: 'the collector endpoints is disabled by default' },
  ),
  timeseries(
    'Changes',
    'Objects that were added, removed or changed on the server. The log names each of them.',
    query(
      `sum by (cluster_name, object, change) (${increase('graphdb_inventory_changes_total')})`,
      '{{cluster_name}} {{object}} {{change}}',
    ),
    { emptyWhenHealthy: 'the collectors of the inventory are disabled by default' },
  ),
]);
