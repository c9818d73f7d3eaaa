import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, rate } from '../promql.ts';

const process = '{{instance}}';

/** Resources of the daemon. */
export const processRow = collapsedRow('Process', 8, [
  timeseries(
    'Memory',
    'Resident memory, the JavaScript heap within it, and memory outside of the heap.',
    [
      query(deduplicated('process_resident_memory_bytes'), `${process} resident`),
      query(deduplicated('nodejs_heap_size_total_bytes'), `${process} heap`),
      query(deduplicated('nodejs_heap_size_used_bytes'), `${process} heap, used`),
      query(deduplicated('nodejs_external_memory_bytes'), `${process} outside the heap`),
    ],
    { unit: 'bytes' },
  ),
  timeseries(
    'CPU',
    'Share of one core, in user mode and in system mode.',
    [
      query(rate('process_cpu_user_seconds_total'), `${process} user`),
      query(rate('process_cpu_system_seconds_total'), `${process} system`),
    ],
    { unit: 'percentunit', stacked: true },
  ),
  timeseries(
    'Event loop',
    'Longest block of the event loop within a minute.',
    query(deduplicated('graphwarden_event_loop_max_lag_seconds'), process),
    { unit: 's' },
  ),
  timeseries(
    'Garbage collection',
    'Share of time in garbage collection, by kind.',
    query(rate('nodejs_gc_duration_seconds_sum'), `${process} {{kind}}`),
    { unit: 'percentunit', stacked: true },
  ),
  timeseries(
    'Open files',
    'Open file descriptors, as a share of the limit of the process.',
    query(`${deduplicated('process_open_fds')} / on (instance) ${deduplicated('process_max_fds')}`, process),
    { unit: 'percentunit' },
  ),
  timeseries(
    'Uptime',
    'Time since the process started. A drop is a restart.',
    query(`time() - ${deduplicated('process_start_time_seconds')}`, process),
    { unit: 's' },
  ),
]);
