import type { RowDefinition } from '../definition.ts';
import { facts } from '../series.ts';
import { engineAbortsBelow, threshold } from '../thresholds.ts';

const host = '{{cluster_name}} {{host_id}}';
const same = 'on (cluster_name, host_id)';
const available = facts('graphdb_host_memory_available_bytes');
const total = facts('graphdb_host_memory_total_bytes');

/** Memory, measured as the engine measures it: by what is free. */
export const memory: RowDefinition = {
  title: 'Memory',
  panels: [
    {
      look: 'timeseries',
      title: 'Free memory',
      description:
        'Share of the memory of a host that is free. The engine slows down below the first line and aborts queries below the last; the alert pages between. A host without a limit has no curve.',
      unit: 'percentunit',
      width: 12,
      queries: [{ expr: `${available} / ${same} ${total}`, legend: host }],
      steps: [
        { from: 0, color: 'dark-red' },
        { from: engineAbortsBelow, color: 'red' },
        { from: threshold('memory_near_abort', 'below_free'), color: 'orange' },
        { from: threshold('memory_near_abort', 'throttled_below'), color: 'green' },
      ],
      scale: { min: 0, max: 1 },
      rules: ['memory_near_abort'],
    },
    {
      look: 'timeseries',
      title: 'Used memory of hosts',
      description: 'What is used on each host, by the server and by everything else.',
      unit: 'bytes',
      width: 12,
      queries: [{ expr: facts('graphdb_host_memory_used_bytes'), legend: host }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Used memory of services',
      description: 'What each service uses on each host: look here for who grows.',
      unit: 'bytes',
      width: 12,
      queries: [
        { expr: facts('graphdb_service_memory_used_bytes'), legend: '{{cluster_name}} {{host_id}} {{service_name}}' },
      ],
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'state-timeline',
      title: 'Limit of memory',
      description: 'Whether the memory of a host has a limit: without one there is no share that is free.',
      unit: 'none',
      width: 12,
      queries: [{ expr: facts('graphdb_host_memory_limited'), legend: host }],
      states: [
        { value: 0, text: 'unlimited', color: 'blue' },
        { value: 1, text: 'limited', color: 'green' },
      ],
    },
  ],
};
