import { collapsedRow, greenAbove, greenBelow, query, stateTimeline, timeseries } from '../panels.ts';
import { deduplicated } from '../promql.ts';
import { threshold } from '../thresholds.ts';
import { healthyAtOne } from '../value-mappings.ts';

const check = '{{cluster_name}} {{check}} {{partition}} {{engine}}';
const run = '{{cluster_name}} {{check}}';
const off = 'consistency checks run on a schedule and are disabled by default';

const notEnabled = 'scheduled tasks change the server and are disabled by default';

/** Age of the data, license, consistency checks, rebuilds, expired tokens. */
export const maintenance = collapsedRow('License, checks and scheduled tasks', 12, [
  timeseries(
    'Age of informant data',
    'Time since the server last measured each category on each host. Above the line the values are frozen.',
    query(
      `time() - ${deduplicated('graphdb_informant_collected_timestamp_seconds')}`,
      '{{cluster_name}} {{host_id}} {{category}}',
    ),
    { unit: 's', steps: greenBelow(threshold('informant_frozen', 'older_than'), 'red'), rules: ['informant_frozen'] },
  ),
  timeseries(
    'License expires in',
    'Time until the license expires. The server stops without a valid license.',
    query(`${deduplicated('graphdb_license_expiration_timestamp_seconds')} - time()`, '{{cluster_name}}'),
    {
      unit: 's',
      scale: {},
      steps: greenAbove(threshold('license_expiring', 'critical_within'), threshold('license_expiring', 'within')),
      lowIsBad: true,
      rules: ['license_expiring'],
    },
  ),
  stateTimeline(
    'Consistency checks',
    'Result of the last run of each check.',
    query(deduplicated('graphdb_check_passed'), check),
    { valueMappings: healthyAtOne('failed', 'passed'), emptyWhenHealthy: off, rules: ['check_failed'] },
  ),
  timeseries(
    'Inconsistent entries',
    'Entries that differ between replicas or engines in the last run of each check.',
    query(deduplicated('graphdb_check_unsynced_entries'), check),
    { emptyWhenHealthy: off, rules: ['check_failed'] },
  ),
  timeseries(
    'Time since the last check',
    'Time since each check last finished. Above the line the check is overdue.',
    query(`time() - ${deduplicated('graphdb_check_last_run_timestamp_seconds')}`, run),
    {
      unit: 's',
      steps: greenBelow(threshold('check_overdue', 'older_than'), 'red'),
      emptyWhenHealthy: off,
      rules: ['check_overdue'],
    },
  ),
  timeseries(
    'Duration of checks',
    'Duration of the last run of each check. Checks load the server heavily.',
    query(deduplicated('graphdb_check_duration_seconds'), run),
    { unit: 's', emptyWhenHealthy: off },
  ),
  stateTimeline(
    'Scheduled tasks',
    'Result of the last scheduled rebuild of each graph, and of the last removal of expired tokens.',
    [
      query(deduplicated('graphdb_rebuild_success'), '{{cluster_name}} rebuild {{graph}}'),
      query(deduplicated('graphdb_token_cleanup_success'), '{{cluster_name}} expired tokens'),
    ],
    {
      valueMappings: healthyAtOne('failed', 'succeeded'),
      emptyWhenHealthy: notEnabled,
      rules: ['rebuild_failed', 'token_cleanup_failed'],
    },
  ),
  timeseries(
    'Duration of rebuilds',
    'Duration of the last scheduled rebuild of each graph. Above the line the rebuild is slow.',
    query(deduplicated('graphdb_rebuild_duration_seconds'), '{{cluster_name}} {{graph}}'),
    {
      unit: 's',
      steps: greenBelow(threshold('rebuild_slow', 'longer_than'), 'red'),
      emptyWhenHealthy: notEnabled,
      rules: ['rebuild_slow'],
    },
  ),
]);
