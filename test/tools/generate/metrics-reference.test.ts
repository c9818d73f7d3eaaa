import { describe, expect, it } from 'vitest';
import { alertingMetrics } from '../../../src/alert/alerting-metrics.ts';
import { clusterMetrics, stateMetrics } from '../../../src/app/page/self-metrics.ts';
import { collectorMetrics } from '../../../src/app/poll/collector-status.ts';
import { collectors } from '../../../src/collect/all.ts';
import { deliveryMetrics } from '../../../src/notify/delivery-metrics.ts';
import { trackerMetrics } from '../../../src/track/tracker-metrics.ts';
import {
  baseUnitOf,
  documentedMetrics,
  metricsCatalogue,
  metricsReference,
} from '../../../tools/generate/metrics-reference.ts';

const all = documentedMetrics();

describe('the catalogue', () => {
  it('has every family once', () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const declared = [
      ...collectors.flatMap(({ metrics }) => metrics),
      ...collectorMetrics,
      ...clusterMetrics,
      ...stateMetrics,
      ...alertingMetrics,
      ...deliveryMetrics,
      ...trackerMetrics,
    ];
    expect(declared.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(all)('has the description of $name', ({ name, type, help, labels, source }) => {
    expect(name).toMatch(/^(graphdb|graphwarden|process|nodejs)_[a-z0-9_]+$/);
    expect(['counter', 'gauge', 'histogram', 'summary']).toContain(type);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(help.length).toBeGreaterThan(10);
    expect(source).not.toBe('');
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('has the common labels of a collector before its own', () => {
    const labels = (name: string) => all.find((family) => family.name === name)?.labels;
    expect(labels('graphdb_up')).toEqual(['cluster_name', 'node']);
    expect(labels('graphdb_service_status')?.[0]).toBe('cluster_name');
    expect(labels('graphdb_service_status')).not.toContain('node');
    expect(labels('graphwarden_collector_failures_total')).toEqual(['cluster_name', 'node', 'collector', 'reason']);
  });

  it('names the collectors of server metrics, and no collector for own metrics', () => {
    // About the replicas of graphwarden, under the name of what they own.
    const ownMetrics = ['graphwarden_cluster_owner'];
    for (const { name, collectors: shownBy } of all) {
      expect([name, shownBy.length > 0]).toEqual([name, name.startsWith('graphdb_') && !ownMetrics.includes(name)]);
    }
  });

  it('is the machine-readable document', () => {
    expect(JSON.parse(metricsCatalogue().text)).toEqual({ families: all });
  });
});

describe('the reference', () => {
  const { text } = metricsReference();

  it.each(all)('has one row for $name', ({ name }) => {
    expect(text.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`))).toHaveLength(1);
  });

  it.each(collectors)('has a row and a section for $name', ({ name, about }) => {
    expect(text).toContain(`| \`${name}\` | `);
    expect(text).toContain(about);
  });
});

describe('unitOf', () => {
  it.each([
    ['graphdb_query_oldest_age_seconds', 'seconds'],
    ['graphdb_network_bytes_total', 'bytes'],
    ['graphdb_host_cpu_usage_ratio', 'ratio'],
    ['graphdb_queries_running', ''],
    ['graphwarden_collector_failures_total', ''],
    ['total', ''],
  ])('of %s is %j', (name, unit) => {
    expect(baseUnitOf(name)).toBe(unit);
  });
});
