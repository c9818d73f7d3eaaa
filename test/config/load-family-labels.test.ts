import { describe, expect, it } from 'vitest';
import { clusterMetrics, stateMetrics } from '../../src/app/page/self-metrics.ts';
import { collectorMetrics } from '../../src/app/poll/collector-status.ts';
import { collectors } from '../../src/collect/all.ts';
import { familyLabels, loadConfig } from '../../src/config/load.ts';
import { trackerMetrics } from '../../src/track/tracker-metrics.ts';

const labels = familyLabels(collectors);

describe('familyLabels', () => {
  it('has the labels of every family', () => {
    for (const { metrics } of collectors) {
      for (const metric of metrics) expect([...metric.labels].filter((label) => !labels.has(label))).toEqual([]);
    }
  });

  it('has the labels of the own families of a cluster', () => {
    const own = [...collectorMetrics, ...clusterMetrics, ...stateMetrics, ...trackerMetrics].flatMap(
      (metric) => metric.labels,
    );
    expect(own.filter((label) => label !== 'node' && !labels.has(label))).toEqual([]);
  });

  it.each([...labels, 'job', 'instance', 'namespace', 'pod', 'cluster_name', 'node', '__address__'])(
    'rejects %s as a label of a cluster',
    (label) => {
      const text = `clusters: [{ name: a, nodes: [{ name: m, url: "http://a" }], labels: { ${label}: x } }]`;
      const loaded = loadConfig(text, 'f', {});
      expect(loaded.ok ? [] : loaded.error.map(({ message }) => message)).toEqual([
        'is a reserved label; choose another name',
      ]);
    },
  );
});
