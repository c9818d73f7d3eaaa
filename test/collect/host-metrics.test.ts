import { describe, expect, it } from 'vitest';
import {
  megabytesToBytes,
  pageHostMetrics,
  percentToRatio,
  sharedHostMetrics,
} from '../../src/collect/host-metrics.ts';

describe('the units of the server', () => {
  it('has percentages, which are not clamped', () => {
    expect([8.592771, 0, 1650, -12.5].map(percentToRatio)).toEqual([0.08592771, 0, 16.5, -0.125]);
  });

  it('has MB of 1048576 bytes', () => {
    expect([1, 0, 912.5].map(megabytesToBytes)).toEqual([1_048_576, 0, 956_825_600]);
  });
});

describe('the families of hosts', () => {
  it('are each in one list', () => {
    const names = [...sharedHostMetrics, ...pageHostMetrics].map((metric) => metric.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('never contain a host and its services in one family: samples with service_name are not about the host', () => {
    const perService = sharedHostMetrics.filter((metric) => metric.labels.some((label) => label === 'service_name'));
    expect(perService.map((metric) => metric.name)).toEqual([
      'graphdb_service_cpu_usage_ratio',
      'graphdb_service_memory_used_bytes',
    ]);
  });
});
