import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, rate } from '../promql.ts';

const host = '{{cluster_name}} {{host_id}}';

/** CPU and network. */
export const processors = collapsedRow('CPU and network', 8, [
  timeseries(
    'Used CPU of hosts',
    'Busy share of all cores of a host, as the server reports it. It can exceed 100 %.',
    query(deduplicated('graphdb_host_cpu_usage_ratio'), host),
    { unit: 'percentunit' },
  ),
  timeseries(
    'Free CPU of hosts',
    'Free share of the CPU of a host, as the server reports it.',
    query(deduplicated('graphdb_host_cpu_available_ratio'), host),
    { unit: 'percentunit', scale: {}, lowIsBad: true },
  ),
  timeseries(
    'Used CPU of services',
    'CPU that each service uses on each host.',
    query(deduplicated('graphdb_service_cpu_usage_ratio'), `${host} {{service_name}}`),
    { unit: 'percentunit' },
  ),
  timeseries(
    'Traffic',
    'Bytes per second that a host receives and sends.',
    query(rate('graphdb_network_bytes_total'), `${host} {{direction}}`),
    { unit: 'Bps' },
  ),
  timeseries(
    'Connections',
    'Open TCP connections of a host.',
    query(deduplicated('graphdb_network_connections'), host),
  ),
  timeseries('Cores', 'Logical cores of each host.', query(deduplicated('graphdb_host_cpu_logical_cores'), host)),
]);
