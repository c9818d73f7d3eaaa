import { describe, expect, it } from 'vitest';
import { categories } from '../../src/collect/categories.ts';
import { metrics } from '../../src/collect/metrics.ts';
import { ok } from '../../src/kernel/result.ts';
import type { CategoryRow } from '../../src/model/node.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const row: CategoryRow = { hostId: 'm1', collectedNs: '1790000000108230613', service: '' };
const empty = { 'cpu-memory': ok([]), diskspace: ok([]), network: ok([]), qps: ok([]) };
const none = failed('unsupported');

function timestamp(host: string, category: string, seconds: string): string {
  return `graphdb_informant_collected_timestamp_seconds{host_id="${host}",category="${category}"} ${seconds}`;
}

async function read(replies: Partial<Readonly<Record<keyof typeof empty, readonly CategoryRow[]>>>) {
  const answers = Object.entries(replies).map(([category, rows]) => [category, ok(rows)]);
  return pollOnce(categories, { category: { ...empty, ...Object.fromEntries(answers) } });
}

describe('categories', () => {
  it('requests each category, one after another', async () => {
    const { error, lines, calls } = await read({});
    expect(error).toBeUndefined();
    expect(calls).toEqual(['category cpu-memory', 'category diskspace', 'category network', 'category qps']);
    expect(lines).toEqual([]);
  });

  it('shows the newest collection of each host and category, in milliseconds', async () => {
    const { lines } = await read({
      'cpu-memory': [
        { ...row, collectedNs: '1790000000108230613' },
        { ...row, service: 'GPE', collectedNs: '1790000060999999999' },
        { ...row, service: 'GSE', collectedNs: '1790000000000000001' },
        { ...row, hostId: 'm2', collectedNs: '1790000001000000000' },
      ],
      qps: [{ ...row, service: 'RESTPP' }],
    });
    expect(lines).toEqual([
      timestamp('m1', 'cpu-memory', '1790000060.999'),
      timestamp('m2', 'cpu-memory', '1790000001'),
      timestamp('m1', 'qps', '1790000000.108'),
    ]);
  });

  it.each(['', '0', '-5', '1e18', 'soon', '9'.repeat(400)])('has no collection time in «$0»', async (collectedNs) => {
    expect((await read({ qps: [{ ...row, collectedNs }] })).lines).toEqual([]);
  });

  it('skips directories and file systems with less than 0 bytes', async () => {
    const disk = { pathName: 'Log', path: '/log', mountPoint: '/', usedMb: -1, freeMb: -1 };
    expect((await read({ diskspace: [{ ...row, collectedNs: '', disk }] })).lines).toEqual([]);
  });

  it('exposes host values under the same names as the metrics page of the server', async () => {
    const [gstore, log] = [
      { pathName: 'Gstore', path: '/data/gstore', mountPoint: '', usedMb: 912.5, freeMb: 100 },
      { pathName: 'Log', path: '/log', mountPoint: '', usedMb: 1, freeMb: 3 },
    ];
    const { lines } = await read({
      'cpu-memory': [
        { ...row, collectedNs: '', cpuPercent: 120, memoryMb: 2 },
        { ...row, collectedNs: '', service: 'GPE', cpuPercent: 0, memoryMb: 682 },
      ],
      diskspace: [
        { ...row, collectedNs: '', disk: gstore },
        { ...row, collectedNs: '', disk: log },
      ],
      network: [{ ...row, collectedNs: '', network: { connections: 89, incoming: '1654215', outgoing: '' } }],
    });
    expect(lines).toEqual([
      'graphdb_host_cpu_usage_ratio{host_id="m1"} 1.2',
      'graphdb_host_memory_used_bytes{host_id="m1"} 2097152',
      'graphdb_service_cpu_usage_ratio{host_id="m1",service_name="GPE"} 0',
      'graphdb_service_memory_used_bytes{host_id="m1",service_name="GPE"} 715128832',
      'graphdb_disk_used_bytes{host_id="m1",mount_point="",path="/data/gstore",path_name="Gstore"} 956825600',
      'graphdb_disk_used_bytes{host_id="m1",mount_point="",path="/log",path_name="Log"} 1048576',
      'graphdb_network_connections{host_id="m1"} 89',
      'graphdb_network_bytes_total{host_id="m1",direction="incoming"} 1654215',
      'graphdb_disk_free_bytes{host_id="m1",mount_point=""} 3145728',
    ]);
  });

  it('exposes a service of a host once, even if the server repeats it', async () => {
    const gpe = { ...row, collectedNs: '', service: 'GPE', cpuPercent: 1 };
    const { lines } = await read({ 'cpu-memory': [gpe, { ...gpe, cpuPercent: 2 }] });
    expect(lines).toEqual(['graphdb_service_cpu_usage_ratio{host_id="m1",service_name="GPE"} 0.01']);
  });

  it('keeps the received categories when another one fails', async () => {
    const { error, lines } = await pollOnce(categories, {
      category: { ...empty, diskspace: failed('status'), qps: ok([row]) },
    });
    expect(error?.reason).toBe('status');
    expect(lines).toEqual([timestamp('m1', 'qps', '1790000000.108')]);
  });

  it('fails with the first reason when all fail', async () => {
    const { error, lines } = await pollOnce(categories, {
      category: { 'cpu-memory': failed('auth'), diskspace: none, network: none, qps: none },
    });
    expect(error?.reason).toBe('auth');
    expect(lines).toEqual([]);
  });

  it('polls a server without a category successfully', async () => {
    const { error, lines } = await pollOnce(categories, {
      category: { ...empty, 'cpu-memory': ok([row]), qps: none },
    });
    expect(error).toBeUndefined();
    expect(lines).toEqual([timestamp('m1', 'cpu-memory', '1790000000.108')]);
  });

  it('is unsupported on a server without categories', async () => {
    const { error, lines } = await pollOnce(categories, {
      category: { 'cpu-memory': none, diskspace: none, network: none, qps: none },
      dataPoints: none,
    });
    expect(error?.reason).toBe('unsupported');
    expect(lines).toEqual([]);
  });

  it('exposes the data points of a server without categories', async () => {
    const { lines } = await pollOnce(categories, {
      category: { 'cpu-memory': none, diskspace: none, network: none, qps: none },
      dataPoints: ok([{ ...row, service: 'GPE', cpuPercent: 50, memoryMb: 2 }]),
    });
    expect(lines).toEqual([
      timestamp('m1', 'cpu-memory', '1790000000.108'),
      'graphdb_service_cpu_usage_ratio{host_id="m1",service_name="GPE"} 0.5',
      'graphdb_service_memory_used_bytes{host_id="m1",service_name="GPE"} 2097152',
    ]);
  });

  it('fails if the server has data points and refuses them', async () => {
    const { error } = await pollOnce(categories, {
      category: { 'cpu-memory': none, diskspace: none, network: none, qps: none },
      dataPoints: failed('auth'),
    });
    expect(error?.reason).toBe('auth');
  });

  it('uses the family constants of the collector with precedence', () => {
    expect(categories.fallbackFor).toBe(metrics.name);
    const theirs = new Map(metrics.metrics.map((metric) => [metric.name, metric]));
    const same = categories.metrics.filter((metric) => theirs.has(metric.name));
    expect(same).toHaveLength(categories.metrics.length - 1);
    for (const metric of same) expect(theirs.get(metric.name)).toBe(metric);
  });
});
