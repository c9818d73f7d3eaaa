import { collapsedRow, query, stateTimeline, timeseries, zeroOne } from '../panels.ts';
import { deduplicated } from '../promql.ts';
import { engineAbortMemoryRatio, threshold } from '../thresholds.ts';

const host = '{{cluster_name}} {{host_id}}';
const available = deduplicated('graphdb_host_memory_available_bytes');
const total = deduplicated('graphdb_host_memory_total_bytes');

/** Memory, measured as the engine measures it: by the free share. */
export const memory = collapsedRow('Memory', 12, [
  timeseries(
    'Free memory',
    'Free share of the memory of a host. The engine slows queries down below the first line and aborts queries below the last line; the alert fires between them. A host without a memory limit has no curve.',
    query(`${available} / on (cluster_name, host_id) ${total}`, host),
    {
      unit: 'percentunit',
      steps: [
        { from: 0, color: 'dark-red' },
        { from: engineAbortMemoryRatio, color: 'red' },
        { from: threshold('memory_near_abort', 'below_free'), color: 'orange' },
        { from: threshold('memory_near_abort', 'throttled_below'), color: 'green' },
      ],
      scale: { min: 0, max: 1 },
      lowIsBad: true,
      rules: ['memory_near_abort'],
    },
  ),
  timeseries(
    'Used memory of hosts',
    'Used memory of each host, by the server and all other processes.',
    query(deduplicated('graphdb_host_memory_used_bytes'), host),
    { unit: 'bytes' },
  ),
  timeseries(
    'Used memory of services',
    'Memory that each service uses on each host.',
    query(deduplicated('graphdb_service_memory_used_bytes'), `${host} {{service_name}}`),
    { unit: 'bytes', stacked: true },
  ),
  stateTimeline(
    'Memory limit',
    'Whether the memory of a host has a limit. Without a limit there is no free share.',
    query(deduplicated('graphdb_host_memory_limited'), host),
    { valueMappings: zeroOne(['unlimited', 'grey'], ['limited', 'green']) },
  ),
]);
