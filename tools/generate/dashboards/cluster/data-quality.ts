import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, instanceLabel, rate, withInstanceName } from '../promql.ts';

const instance = `{{cluster_name}} {{${instanceLabel}}}`;
const service = '{{cluster_name}} {{service_name}}';
const sums = 'sum by (cluster_name, service_name)';

/** Availability of the services, and observations that contradict each other. */
export const dataQuality = collapsedRow('Availability and data quality', 8, [
  timeseries(
    'Share of observed time online',
    'Share of the observed time in which the instances of a service were online.',
    query(
      `${sums} (${rate('graphdb_service_online_seconds_total')}) / (${sums} (${rate('graphdb_service_observed_seconds_total')}) > 0)`,
      service,
    ),
    { unit: 'percentunit', width: 12, scale: { min: 0, max: 1 }, lowIsBad: true },
  ),
  timeseries(
    'Processes that do not run',
    'Instances whose process does not run, whatever status they report.',
    query(withInstanceName(`1 - (${deduplicated('graphdb_service_process_running')} == 0)`), instance),
    { width: 12, emptyWhenHealthy: 'every process runs', rules: ['service_not_online'] },
  ),
  timeseries(
    'Flapping instances',
    'Instances that change their status too often. Flapping instances do not cause a notification for each change.',
    query(withInstanceName(`${deduplicated('graphdb_service_flapping')} == 1`), instance),
    { emptyWhenHealthy: 'no instance is flapping', rules: ['service_flapping'] },
  ),
  timeseries(
    'Instances whose sources disagree',
    'Instances that report one status while the metrics of the server report another.',
    query(`${sums} (${deduplicated('graphdb_service_status_disagreement')})`, service),
    { rules: ['status_sources_disagree'] },
  ),
  timeseries(
    'Untracked instances',
    'Instances in the latest reply of the server that exceed the limit of tracked instances.',
    query(deduplicated('graphdb_services_untracked'), '{{cluster_name}}'),
  ),
]);
