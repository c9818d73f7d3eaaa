import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fetchCategory } from '../../../src/graphdb/endpoints/category.ts';
import { failureReasons } from '../../../src/kernel/failure.ts';
import { informantCategories } from '../../../src/model/node.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

function read(category: (typeof informantCategories)[number], body: unknown): ReturnType<typeof fetchCategory> {
  const caller = callerOver(new FakePool([`POST /informant/metrics/get/${category}`, answer(body)]));
  return fetchCategory(caller, category, neverAborted());
}

describe('a category', () => {
  it('is requested with the newest item of each', async () => {
    const pool = new FakePool(['POST /informant/metrics/get/qps', answer({})]);
    await fetchCategory(callerOver(pool), 'qps', neverAborted());
    expect(pool.requests[0]?.body).toBe('{"LatestNum":"1"}');
  });

  it.each([
    ['cpu-memory', { CPUMemoryMetrics: [{ HostID: 'm1', CPU: {}, Memory: {} }] }, { cpuPercent: 0, memoryMb: 0 }],
    ['cpu-memory', { CPUMemoryMetrics: [{ HostID: 'm1', Memory: null }] }, {}],
    ['diskspace', { DiskMetrics: [{ HostID: 'm1' }] }, {}],
    ['network', { NetworkMetrics: [{ HostID: 'm1', Network: null }] }, {}],
    [
      'cpu-memory',
      { CPUMemoryMetrics: [{ HostID: 'm1', CPU: { CPUUsage: 104.2 }, Memory: { MemoryUsageMB: -1 } }] },
      { cpuPercent: 104.2, memoryMb: -1 },
    ],
    [
      'diskspace',
      { DiskMetrics: [{ HostID: 'm1', Disk: { MountPoint: '/data' } }] },
      { disk: { pathName: '', path: '', mountPoint: '/data', usedMb: 0, freeMb: 0 } },
    ],
    [
      'network',
      { NetworkMetrics: [{ HostID: 'm1', Network: {} }] },
      { network: { connections: 0, incoming: '0', outgoing: '0' } },
    ],
    ['qps', { QPSMetrics: [{ HostID: 'm1', QPS: 7 }] }, {}],
  ] as const)('%s parses %j with its zeros', async (category, body, values) => {
    expect(factsOf(await read(category, body))).toEqual([{ hostId: 'm1', collectedNs: '', service: '', ...values }]);
  });

  it('drops items without a host or of another shape', async () => {
    const items = [{}, { HostID: '' }, { HostID: 'm1', Network: 'text' }, 'odd', { HostID: 'm2' }];
    expect(factsOf(await read('network', { NetworkMetrics: items })).map(({ hostId }) => hostId)).toEqual(['m2']);
  });

  it('ignores the array of another category', async () => {
    expect(failureOf(await read('network', { DiskMetrics: [] })).reason).toBe('body');
  });

  it('returns rows or a known reason for any JSON', async () => {
    const items = fc.array(
      fc.dictionary(fc.constantFrom('HostID', 'CPU', 'Memory', 'Disk', 'Network', 'CollectTimeStamps'), fc.jsonValue()),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...informantCategories),
        fc.oneof(items, fc.jsonValue()),
        async (category, any) => {
          const body = { CPUMemoryMetrics: any, DiskMetrics: any, NetworkMetrics: any, QPSMetrics: any };
          const result = await read(category, body);
          if (result.ok) expect(result.value.every(({ hostId }) => hostId !== '')).toBe(true);
          else expect(failureReasons).toContain(result.error.reason);
        },
      ),
      { numRuns: 100 },
    );
  });
});
