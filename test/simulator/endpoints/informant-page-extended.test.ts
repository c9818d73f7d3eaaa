import { describe, expect, it } from 'vitest';
import { endpointPath, extendedFamilies } from '../../../src/simulator/endpoints/informant-page-extended.ts';
import { worldOf } from '../test-world.ts';

const world = worldOf({ version: '4.3.0' });
const families = new Map(
  extendedFamilies(world.informant.view, world.licenseExpiresAt).map((family) => [family.name, family]),
);

describe('extendedFamilies', () => {
  it('are those that 4.3 added', () => {
    expect([...families.keys()].toSorted()).toEqual([
      'disk_inode_free',
      'disk_inode_used',
      'disk_io_time',
      'disk_iops',
      'disk_read_bytes',
      'disk_read_count',
      'disk_read_time',
      'disk_write_bytes',
      'disk_write_count',
      'disk_write_time',
      'endpoint_completed',
      'endpoint_latency',
      'endpoint_timeout',
      'license_days_left',
      'memory_usage_percent',
      'qps',
    ]);
  });

  it('contain the latency of an endpoint three times', () => {
    const samples = families.get('endpoint_latency')?.samples ?? [];
    const statistics = new Set(samples.map(({ labels }) => labels.statistic));
    expect(statistics).toEqual(new Set(['average_latency', 'max_latency', 'min_latency']));
    expect(samples).toHaveLength(3 * (families.get('qps')?.samples.length ?? 0));
  });

  it('agree with the statistics of the last refresh', () => {
    const { endpoints } = world.informant.view;
    const completed = families.get('endpoint_completed')?.samples ?? [];
    for (const { host, measurement } of endpoints) {
      for (const [endpoint, record] of Object.entries(measurement)) {
        const labels = { endpoint: endpointPath(endpoint), host_id: host.name, service_name: 'RESTPP' };
        expect(completed).toContainEqual({ labels, value: record.CompletedRequests });
      }
    }
    expect(completed.length).toBeGreaterThan(9);
  });

  it('have one inode count for each file system of each host', () => {
    expect(families.get('disk_inode_free')?.samples.map(({ labels }) => labels)).toHaveLength(6);
  });

  it.each([
    [10.5, 10],
    [0.5, 0],
    [-0.1, -1],
  ])('have %d days of the licence left as %d', (days, shown) => {
    const { view } = world.informant;
    const licence = extendedFamilies(view, view.at + days * 86_400_000).find(
      ({ name }) => name === 'license_days_left',
    );
    expect(licence?.samples).toEqual([{ labels: {}, value: shown }]);
  });

  it('contain memory in percent', () => {
    for (const { value } of families.get('memory_usage_percent')?.samples ?? []) {
      expect(value).toBeGreaterThan(10);
      expect(value).toBeLessThan(100);
    }
  });
});
