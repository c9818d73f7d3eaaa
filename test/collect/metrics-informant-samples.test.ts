import { describe, expect, it } from 'vitest';
import { informantSamples } from '../../src/collect/metrics.ts';
import { informantPage, type Line, parsedFamily } from '../support/informant-page.ts';
import { sampleLines } from '../support/poll-results.ts';

function show(families: Readonly<Record<string, readonly Line[]>>): readonly string[] {
  return sampleLines(informantSamples(informantPage('svc_', families).families, 'svc_'));
}

const host = { host_id: 'm1', service_name: '' };
const service = { host_id: 'm1', service_name: 'GPE' };
const home = { host_id: 'm1', mount_point: '/', path: '/home/db', path_name: 'Home' };
const store = { host_id: 'm1', mount_point: '/', path: '/home/db/gstore', path_name: 'Gstore' };

describe('informantSamples', () => {
  it.each<[string, string, readonly Line[], readonly string[]]>([
    [
      'cpu of a host and of a service are different families',
      'cpu_usage',
      [
        [host, '8.592771'],
        [service, '3.1174'],
        [{ host_id: 'm1', service_name: 'NGINX' }, '0'],
      ],
      [
        'graphdb_host_cpu_usage_ratio{host_id="m1"} 0.08592771',
        'graphdb_service_cpu_usage_ratio{host_id="m1",service_name="GPE"} 0.031174',
        'graphdb_service_cpu_usage_ratio{host_id="m1",service_name="NGINX"} 0',
      ],
    ],
    [
      'a ratio above 1 is not clamped',
      'cpu_usage',
      [[service, '1650']],
      ['graphdb_service_cpu_usage_ratio{host_id="m1",service_name="GPE"} 16.5'],
    ],
    [
      'a negative ratio is not clamped',
      'cpu_available',
      [[host, '-12.5']],
      ['graphdb_host_cpu_available_ratio{host_id="m1"} -0.125'],
    ],
    [
      'cores are counted',
      'cpu_logical_cores_total',
      [[host, '16']],
      ['graphdb_host_cpu_logical_cores{host_id="m1"} 16'],
    ],
    ['a capacity of a service is no capacity of the host', 'memory_total', [[service, '64']], []],
    [
      'a MB is 1048576 bytes',
      'memory_usage',
      [
        [host, '24107'],
        [service, '377.5'],
      ],
      [
        'graphdb_host_memory_used_bytes{host_id="m1"} 25278021632',
        'graphdb_service_memory_used_bytes{host_id="m1",service_name="GPE"} 395837440',
      ],
    ],
    [
      'space is used per directory',
      'diskspace_usage',
      [
        [home, '1'],
        [store, '912.5'],
      ],
      [
        'graphdb_disk_used_bytes{host_id="m1",mount_point="/",path="/home/db",path_name="Home"} 1048576',
        'graphdb_disk_used_bytes{host_id="m1",mount_point="/",path="/home/db/gstore",path_name="Gstore"} 956825600',
      ],
    ],
    [
      'space is free per file system, and the lowest of several values counts',
      'diskspace_free',
      [
        [home, '100'],
        [store, '99'],
        [{ ...store, mount_point: '/data' }, '7'],
        [{ ...home, host_id: 'm2' }, '50'],
      ],
      [
        'graphdb_disk_free_bytes{host_id="m1",mount_point="/"} 103809024',
        'graphdb_disk_free_bytes{host_id="m1",mount_point="/data"} 7340032',
        'graphdb_disk_free_bytes{host_id="m2",mount_point="/"} 52428800',
      ],
    ],
    [
      'no file system has less than 0 bytes free',
      'diskspace_free',
      [
        [home, '-1'],
        [store, '7'],
      ],
      ['graphdb_disk_free_bytes{host_id="m1",mount_point="/"} 7340032'],
    ],
    ['no directory has less than 0 bytes', 'diskspace_usage', [[home, '-1']], []],
    [
      'inodes are free per file system',
      'disk_inode_free',
      [
        [home, '6.104379e+06'],
        [store, '6.104378e+06'],
      ],
      ['graphdb_disk_inodes_free{host_id="m1",mount_point="/"} 6104378'],
    ],
    [
      'inodes are used per file system, and the highest of several values counts',
      'disk_inode_used',
      [
        [home, '500'],
        [store, '501'],
      ],
      ['graphdb_disk_inodes_used{host_id="m1",mount_point="/"} 501'],
    ],
    [
      'megabytes read per file system become bytes: the highest, and none below 0',
      'disk_read_bytes',
      [
        [home, '2'],
        [store, '1.5'],
        [{ ...home, mount_point: '/broken' }, '-1'],
      ],
      ['graphdb_disk_read_bytes_total{host_id="m1",mount_point="/"} 2097152'],
    ],
    [
      'megabytes written become bytes',
      'disk_write_bytes',
      [[home, '0.5']],
      ['graphdb_disk_written_bytes_total{host_id="m1",mount_point="/"} 524288'],
    ],
    [
      'reads are counted',
      'disk_read_count',
      [[home, '7']],
      ['graphdb_disk_reads_total{host_id="m1",mount_point="/"} 7'],
    ],
    ['writes too', 'disk_write_count', [[home, '9']], ['graphdb_disk_writes_total{host_id="m1",mount_point="/"} 9']],
    [
      'hours of reads become seconds',
      'disk_read_time',
      [[home, '0.5']],
      ['graphdb_disk_read_time_seconds_total{host_id="m1",mount_point="/"} 1800'],
    ],
    [
      'hours of writes become seconds',
      'disk_write_time',
      [[home, '0.25']],
      ['graphdb_disk_write_time_seconds_total{host_id="m1",mount_point="/"} 900'],
    ],
    [
      'hours of I/O become seconds',
      'disk_io_time',
      [[home, '2']],
      ['graphdb_disk_io_time_seconds_total{host_id="m1",mount_point="/"} 7200'],
    ],
    [
      'connections belong to a host, which some servers name by ip',
      'network_connections',
      [
        [{ host_id: 'm1' }, '211'],
        [{ ip: '10.0.0.2' }, '89'],
      ],
      ['graphdb_network_connections{host_id="m1"} 211', 'graphdb_network_connections{host_id="10.0.0.2"} 89'],
    ],
    [
      'traffic is a counter with the direction incoming or outgoing',
      'network_traffic',
      [
        [{ direction: 'incoming', host_id: 'm1' }, '2.2802625793e+10'],
        [{ direction: 'outgoing', host_id: 'm1' }, '5'],
        [{ direction: 'sideways', host_id: 'm1' }, '7'],
      ],
      [
        'graphdb_network_bytes_total{host_id="m1",direction="incoming"} 22802625793',
        'graphdb_network_bytes_total{host_id="m1",direction="outgoing"} 5',
      ],
    ],
    ['what has no name of ours is handed on only', 'memory_usage_percent', [[host, '12']], []],
    ['a family named like a property of every object is nothing', 'constructor', [[host, '12']], []],
  ])('%s', (_, name, lines, expected) => {
    expect(show({ [name]: lines }).filter((line) => !line.startsWith('graphdb_host_memory_limited'))).toEqual(expected);
  });

  it.each(['NaN', '+Inf', '-Inf'])('excludes %s, which is not about a host', (value) => {
    const families = ['cpu_usage', 'memory_total', 'diskspace_free', 'network_traffic'];
    const lines: readonly Line[] = [[{ ...host, direction: 'incoming' }, value]];
    expect(show(Object.fromEntries(families.map((name) => [name, lines])))).toEqual([]);
  });

  it('ignores families with another prefix and the parts of a histogram', () => {
    const histogram = parsedFamily('svc_cpu_usage', [[host, '3']]);
    const bucket = { name: 'svc_cpu_usage_bucket', pairs: ['le', '1'] };
    const families = [parsedFamily('other_cpu_usage', [[host, '3']]), { ...histogram, series: [bucket] }];
    expect(sampleLines(informantSamples(families, 'svc_'))).toEqual([]);
  });
});

describe('unlimited memory', () => {
  it('has no total, and is marked unlimited', () => {
    expect(show({ memory_total: [[host, '-1']], memory_available: [[host, '-1']] })).toEqual([
      'graphdb_host_memory_limited{host_id="m1"} 0',
    ]);
  });

  it.each([
    ['total', [[host, '-1']], [[host, '1']]],
    ['available', [[host, '1']], [[host, '-1']]],
  ] as const)('is unlimited if only %s is -1, in any order of the families', (_, total, available) => {
    const limited = 'graphdb_host_memory_limited{host_id="m1"} 0';
    expect(show({ memory_total: total, memory_available: available })).toContain(limited);
    expect(show({ memory_available: available, memory_total: total })).toContain(limited);
  });

  it('is reported for each host', () => {
    const total: readonly Line[] = [
      [host, '64318'],
      [{ host_id: 'm2', service_name: '' }, '-1'],
    ];
    expect(show({ memory_total: total, memory_available: [[host, '40211']] })).toEqual([
      'graphdb_host_memory_total_bytes{host_id="m1"} 67442311168',
      'graphdb_host_memory_available_bytes{host_id="m1"} 42164289536',
      'graphdb_host_memory_limited{host_id="m1"} 1',
      'graphdb_host_memory_limited{host_id="m2"} 0',
    ]);
  });
});
