import { collapsedRow, query, stateTimeline, timeseries } from '../panels.ts';
import { deduplicated, increase, selector } from '../promql.ts';
import { healthyAtOne } from '../value-mappings.ts';

const notShared = 'replicas share no database';

/** Owners of the clusters, if replicas share a database. */
export const replicas = collapsedRow('Replicas', 8, [
  stateTimeline(
    'Clusters with an owner',
    'Whether a replica owns each cluster. A cluster without an owner is not monitored.',
    query(`max by (cluster_name) (${selector('graphwarden_cluster_owner')})`, '{{cluster_name}}'),
    { height: 8, emptyWhenHealthy: notShared, valueMappings: healthyAtOne('no owner', 'owned'), rules: ['no_owner'] },
  ),
  timeseries(
    'Clusters by replica',
    'Number of clusters that each replica owns.',
    query(`sum by (instance) (${selector('graphwarden_cluster_owner')})`, '{{instance}}'),
    { emptyWhenHealthy: notShared },
  ),
  timeseries(
    'Changes of leases',
    'Leases that a replica took, took over from a replica that did not renew them in time, released, or lost.',
    query(increase('graphwarden_lease_changes_total'), '{{instance}} {{change}}'),
    { emptyWhenHealthy: notShared, rules: ['lease_lost'] },
  ),
  timeseries(
    'Live replicas',
    'Number of live replicas, as each replica reports it.',
    query(deduplicated('graphwarden_replicas'), '{{instance}}'),
    { emptyWhenHealthy: notShared },
  ),
  timeseries(
    'Replicas with another configuration',
    'Number of live replicas whose clusters or settings differ from those of the replica that is scraped.',
    query(deduplicated('graphwarden_replicas_different'), '{{instance}} {{what}}'),
    { emptyWhenHealthy: notShared, rules: ['replicas_differ'] },
  ),
  timeseries(
    'Age of the leases',
    'Time since the database last returned the leases. After ten seconds, a replica aborts nothing.',
    query(`time() - ${deduplicated('graphwarden_leases_read_timestamp_seconds')}`, '{{instance}}'),
    { unit: 's', emptyWhenHealthy: notShared },
  ),
]);
