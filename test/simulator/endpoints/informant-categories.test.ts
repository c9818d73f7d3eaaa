import { describe, expect, it } from 'vitest';
import { informantCategory, informantError } from '../../../src/simulator/endpoints/informant-categories.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

interface Item {
  readonly HostID: string;
  readonly CollectTimeStamps: string;
  readonly ServiceDescriptor?: { readonly ServiceName: string; readonly Replica?: number };
  readonly CPU?: { readonly CPUUsage?: number };
  readonly Memory?: { readonly MemoryUsageMB?: number };
  readonly Disk?: { readonly PathName: string };
  readonly QPS?: { readonly Endpoint: string };
}

const world = worldOf();
world.advance(noon + 300_000);

async function request(category: string, filter: unknown, on: World = world): Promise<readonly Item[]> {
  const body = typeof filter === 'string' ? filter : JSON.stringify(filter);
  const answer = await jsonOf(informantCategory(callOn(on, { path: { category }, body })));
  const lists: unknown[] = Object.values(Object(answer));
  expect(lists.length).toBeLessThanOrEqual(1);
  return (lists[0] ?? []) as readonly Item[];
}

describe('the categories', () => {
  it.each([
    ['cpu-memory', 'CPUMemoryMetrics'],
    ['diskspace', 'DiskMetrics'],
    ['network', 'NetworkMetrics'],
    ['qps', 'QPSMetrics'],
  ])('%s returns %s only', async (category, key) => {
    const answer = await jsonOf(informantCategory(callOn(world, { path: { category }, body: '{}' })));
    expect(Object.keys(Object(answer))).toEqual([key]);
  });

  it.each(['memory', 'constructor', '__proto__'])('do not include %s', (category) => {
    expect(informantCategory(callOn(world, { path: { category } }))).toMatchObject({ status: 404 });
  });

  it.each(['nonsense', '[1]', '{"LatestNum":-1}', '{"TimeRange":{"StartTimestampNS":"soon"}}'])(
    'refuse %s as a filter',
    (body) => {
      expect(informantCategory(callOn(world, { path: { category: 'network' }, body }))).toMatchObject({ status: 400 });
    },
  );

  it('return an empty object if no item matches', async () => {
    const body = '{"HostID":"m9"}';
    expect(await jsonOf(informantCategory(callOn(world, { path: { category: 'network' }, body })))).toEqual({});
  });
});

function nanos(at: number): string {
  return `${at}000000`;
}

describe('the filters', () => {
  it('return all stored items by default', async () => {
    const hosts = (await request('network', '')).map(({ HostID }) => HostID);
    expect(hosts.filter((host) => host === 'm1')).toHaveLength(world.informant.views.length);
  });

  it.each([1, '1', 3])('LatestNum %j keeps the newest of each subject, newest first', async (LatestNum) => {
    const items = await request('network', { LatestNum });
    expect(items).toHaveLength(3 * Number(LatestNum));
    const stamps = items
      .filter(({ HostID }) => HostID === 'm2')
      .map(({ CollectTimeStamps }) => BigInt(CollectTimeStamps));
    expect(stamps).toEqual(stamps.toSorted((a, b) => (a < b ? 1 : -1)));
    expect(stamps[0]?.toString().slice(0, 13)).toBe(String(world.informant.view.at));
  });

  it('LatestNum counts per service', async () => {
    const items = await request('cpu-memory', { LatestNum: 1, HostID: 'm1' });
    const names = items.map(({ ServiceDescriptor }) => ServiceDescriptor?.ServiceName ?? '');
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('');
    expect(names).toContain('GSE');
  });

  it('ServiceDescriptors accept names in any case, with replicas', async () => {
    const filter = {
      LatestNum: 1,
      ServiceDescriptors: [{ ServiceName: 'gpe' }, { ServiceName: 'RESTPP', Replica: 2 }],
    };
    const items = await request('cpu-memory', filter);
    expect(
      items.map(({ HostID, ServiceDescriptor }) => `${ServiceDescriptor?.ServiceName}@${HostID}`).toSorted(),
    ).toEqual(['GPE@m1', 'GPE@m2', 'GPE@m3', 'RESTPP@m2']);
  });

  it('ServiceDescriptor is a single descriptor before 3.9.2', async () => {
    const filter = { ServiceDescriptor: { ServiceName: 'GPE' }, ServiceDescriptors: [{ ServiceName: 'GSE' }] };
    const old = await request('cpu-memory', filter, worldOf({ version: '3.9.1' }));
    const recent = await request('cpu-memory', filter, worldOf({ version: '3.9.2' }));
    expect(new Set(old.map(({ ServiceDescriptor }) => ServiceDescriptor?.ServiceName))).toEqual(new Set(['GPE']));
    expect(new Set(recent.map(({ ServiceDescriptor }) => ServiceDescriptor?.ServiceName))).toEqual(new Set(['GSE']));
  });

  it('CPUUsage and MemoryUsage are lower bounds', async () => {
    const busy = await request('cpu-memory', { LatestNum: 1, CPUUsage: 2 });
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.every(({ CPU }) => (CPU?.CPUUsage ?? 0) > 2)).toBe(true);
    const large = await request('cpu-memory', { LatestNum: 1, MemoryUsage: 6_000 });
    expect(large.map(({ ServiceDescriptor }) => ServiceDescriptor?.ServiceName ?? 'host')).toContain('GPE');
    expect(large.every(({ Memory }) => (Memory?.MemoryUsageMB ?? 0) > 6_000)).toBe(true);
  });

  it('PathName accepts any case, Endpoint a path', async () => {
    const logs = await request('diskspace', { PathName: 'log', LatestNum: 1 });
    expect(logs.map(({ Disk }) => Disk?.PathName)).toEqual(['Log', 'Log', 'Log']);
    const scans = await request('qps', { Endpoint: '/query/fraud/account_history', HostID: 'm1', LatestNum: 1 });
    expect(scans.map(({ QPS }) => QPS?.Endpoint)).toEqual(['/query/fraud/account_history']);
  });

  it('TimeRange bounds the collection time', async () => {
    const from = noon + 100_000;
    const range = { StartTimestampNS: nanos(from), EndTimestampNS: nanos(noon + 220_000) };
    const items = await request('network', { TimeRange: range, HostID: 'm1' });
    expect(items).toHaveLength(2);
    expect(await request('network', { TimeRange: { EndTimestampNS: '1' } })).toEqual([]);
  });
});

describe('informantError', () => {
  it('has the format that clients parse', () => {
    expect(informantError(400, 'no')).toMatchObject({ status: 400, body: '{"Error":{"Message":"no"}}' });
  });
});
