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
    'Whether the last configuration reload succeeded. If it failed, the previous configuration stays in use.',
    query(deduplicated('graphwarden_config_last_reload_successful'), instance),
    { height: 4, valueMappings: healthyAtOne('reload failed', 'loaded') },
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
