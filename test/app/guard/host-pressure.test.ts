import { describe, expect, it } from 'vitest';
import {
  hasHostMetrics,
  hostMetricNames,
  hostPressures,
  polledGateSources,
} from '../../../src/app/guard/host-pressure.ts';
import { collectors } from '../../../src/collect/all.ts';

const shown: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  graphdb_host_cpu_usage_ratio: { m1: 0.5, m2: 1.2 },
  graphdb_host_memory_used_bytes: { m1: 750, m2: 10, m3: 10 },
  graphdb_host_memory_total_bytes: { m1: 1000, m3: 0 },
};

function facts(family: string) {
  return Object.entries(shown[family] ?? {}).map(([host, value]) => ({ labels: { host_id: host }, value }));
}

describe('the pressure on a host', () => {
  it.each([
    ['m1', 0.75, 0.5],
    ['m2', undefined, 1.2],
    ['m3', undefined, undefined],
    ['m4', undefined, undefined],
  ])('%s is %s of its memory and %s of its CPU', (host, memory, cpu) => {
    expect([...hostPressures(facts, host)]).toEqual([
      ['node_memory', memory],
      ['node_cpu', cpu],
    ]);
  });

  it('is polled by enabled collectors only', () => {
    const [on, off] = [{ enabled: true }, { enabled: false }];
    const host = ['node_memory', 'node_cpu'];
    expect(polledGateSources({ delayed_queries: on, metrics: off })).toEqual(['queue_depth', 'queue_oldest']);
    expect(polledGateSources({ delayed_queries: off, metrics: off, categories: on })).toEqual(host);
    expect(polledGateSources({})).toEqual([]);
  });

  it('is derived from the expected collectors and metric families only', () => {
    expect(collectors.filter(hasHostMetrics).map(({ name }) => name)).toEqual(['metrics', 'categories']);
    const all = [...Object.keys(shown), 'graphdb_informant_collected_timestamp_seconds'];
    expect(new Set(hostMetricNames)).toEqual(new Set(all));
  });
});
