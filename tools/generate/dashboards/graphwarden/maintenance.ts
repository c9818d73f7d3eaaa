import { collapsedRow, query, row, stateTimeline, table, timeseries } from '../panels.ts';
import { deduplicated } from '../promql.ts';
import { healthyAtOne } from '../value-mappings.ts';

const instance = '{{instance}}';

/** Whether the state is durable and the configuration is loaded. */
export const selfMaintenance = row('State and configuration', 12, [
  stateTimeline(
    'State',
    'Whether the state is written to disk. While it is only in memory, the guard aborts nothing.',
    query(deduplicated('graphwarden_state_durable'), instance),
    { height: 4, valueMappings: healthyAtOne('only in memory', 'on disk'), rules: ['state_not_durable'] },
  ),
  stateTimeline(
    'Configuration',
    'Whether the configuration file is in force. If it is rejected, the last accepted configuration is in force.',
    query(deduplicated('graphwarden_config_last_reload_successful'), instance),
    { height: 4, valueMappings: healthyAtOne('rejected', 'loaded'), rules: ['config_rejected'] },
  ),
]);

/** Versions and age of the configuration. */
export const configurations = collapsedRow('Versions', 12, [
  timeseries(
    'Age of the configuration',
    'Time since a configuration was last loaded successfully.',
    query(`time() - ${deduplicated('graphwarden_config_last_reload_success_timestamp_seconds')}`, instance),
    { unit: 's' },
  ),
  table('Versions', 'Build of each daemon.', query(deduplicated('graphwarden_build_info'), 'Running'), {}),
]);
