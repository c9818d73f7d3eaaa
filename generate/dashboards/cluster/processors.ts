import type { RowDefinition } from '../definition.ts';
import { facts, rate } from '../series.ts';

const host = '{{cluster_name}} {{host_id}}';

/** Processors and network. */
export const processors: RowDefinition = {
  title: 'CPU and network',
  panels: [
    {
      look: 'timeseries',
      title: 'Used CPU of hosts',
      description: 'Busy share of all cores of a host, as the server says it: it may exceed 100 %.',
      unit: 'percentunit',
      width: 8,
      queries: [{ expr: facts('graphdb_host_cpu_usage_ratio'), legend: host }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Free CPU of hosts',
      description: 'Share of the CPU of a host that is free, as the server says it.',
      unit: 'percentunit',
      width: 8,
      queries: [{ expr: facts('graphdb_host_cpu_available_ratio'), legend: host }],
    },
    {
      look: 'timeseries',
      title: 'Used CPU of services',
      description: 'What each service uses on each host.',
      unit: 'percentunit',
      width: 8,
      queries: [
        { expr: facts('graphdb_service_cpu_usage_ratio'), legend: '{{cluster_name}} {{host_id}} {{service_name}}' },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Traffic',
      description: 'Bytes that a host receives and sends in a second.',
      unit: 'Bps',
      width: 8,
      queries: [{ expr: rate('graphdb_network_bytes_total'), legend: `${host} {{direction}}` }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Connections',
      description: 'Open TCP connections of a host.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts('graphdb_network_connections'), legend: host }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Cores',
      description: 'Logical cores of each host.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts('graphdb_host_cpu_logical_cores'), legend: host }],
      scale: { min: 0 },
    },
  ],
};
