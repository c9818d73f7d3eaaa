import type { RowDefinition } from '../definition.ts';
import { facts, rate } from '../series.ts';

const process = '{{instance}}';

/** What the process costs. */
export const processRow: RowDefinition = {
  title: 'Process',
  panels: [
    {
      look: 'timeseries',
      title: 'Memory',
      description: 'Resident memory, the heap of JavaScript within it, and what is held beside that heap.',
      unit: 'bytes',
      width: 8,
      queries: [
        { expr: facts('process_resident_memory_bytes'), legend: `${process} resident` },
        { expr: facts('nodejs_heap_size_total_bytes'), legend: `${process} heap` },
        { expr: facts('nodejs_heap_size_used_bytes'), legend: `${process} heap, used` },
        { expr: facts('nodejs_external_memory_bytes'), legend: `${process} outside the heap` },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'CPU',
      description: 'Share of one core, in the program and in the system on its behalf.',
      unit: 'percentunit',
      width: 8,
      queries: [
        { expr: rate('process_cpu_user_seconds_total'), legend: `${process} program` },
        { expr: rate('process_cpu_system_seconds_total'), legend: `${process} system` },
      ],
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Event loop',
      description:
        'Longest time within a minute in which the process answered to nothing, and the 99th percentile of its delays.',
      unit: 's',
      width: 8,
      queries: [
        { expr: facts('graphwarden_event_loop_longest_gap_seconds'), legend: `${process} longest gap` },
        { expr: facts('nodejs_eventloop_lag_p99_seconds'), legend: `${process} p99` },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Garbage collection',
      description: 'Share of time spent on collecting garbage, by kind.',
      unit: 'percentunit',
      width: 8,
      queries: [{ expr: rate('nodejs_gc_duration_seconds_sum'), legend: `${process} {{kind}}` }],
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Open files',
      description: 'Share of the file descriptors that the process may have.',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expr: `${facts('process_open_fds')} / on (instance) ${facts('process_max_fds')}`,
          legend: process,
        },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Up for',
      description: 'Time since the process started: a step down is a restart.',
      unit: 's',
      width: 8,
      queries: [{ expr: `time() - ${facts('process_start_time_seconds')}`, legend: process }],
      scale: { min: 0 },
    },
  ],
};
