import { collapsedRow, query, row, table, timeseries } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';

const noWatchdog = 'rule!="watchdog"';
const alert = '{{cluster_name}} {{rule}} ({{severity}})';

/** Firing alerts and incidents. */
export const alerts = row('Alerts', 12, [
  timeseries(
    'Firing alerts by rule',
    'Firing alerts of graphwarden, by rule. Alerts about graphwarden itself have no cluster.',
    query(`${deduplicated('graphwarden_alerts_firing', noWatchdog)} > 0`, alert),
    { emptyWhenHealthy: 'no alert is firing', stacked: true },
  ),
  timeseries(
    'New incidents',
    'Incidents that started, by rule. An alert that fires repeatedly is more visible here than among the firing alerts. The first incident of a rule appears after a minute.',
    query(`${increase('graphwarden_alerts_episodes_total', noWatchdog)} > 0`, alert),
    { emptyWhenHealthy: 'no incident started more than a minute ago' },
  ),
]);

/** Versions in use. */
export const versions = collapsedRow('Versions', 24, [
  table(
    'Versions',
    'Nodes by version of each component. Outside of an upgrade, all nodes of a cluster have the same version.',
    query(`count by (cluster_name, component, version, commit) (${deduplicated('graphdb_build_info')})`, 'Nodes'),
    { width: 24 },
  ),
]);
