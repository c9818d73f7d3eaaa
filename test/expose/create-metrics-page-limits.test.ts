import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { CollectorStatus } from '../../src/app/poll/collector-status.ts';
import { collectors } from '../../src/collect/all.ts';
import { metricCatalog } from '../../src/collect/collector.ts';
import { health } from '../../src/collect/health.ts';
import { services } from '../../src/collect/services.ts';
import type { ServiceState } from '../../src/model/service.ts';
import { trackerMetrics } from '../../src/track/tracker-metrics.ts';
import { content, emptyPage, linesOf } from './metrics-pages.ts';

const now = { wall: 0, mono: 0 };

function instances(count: number): readonly ServiceState[] {
  return Array.from({ length: count }, (_, at) => {
    return {
      service: 'RESTPP',
      partition: String(at + 1),
      replica: '1',
      status: 'Online',
      process: '',
      eventId: '',
      timestampNs: '1',
    };
  });
}

function seriesOf(lines: readonly string[], family: string, cluster: string): number {
  return lines.filter((line) => line.startsWith(`${family}{cluster_name="${cluster}",`)).length;
}

/** The limits of the configuration, which 50 clusters of 450 instances would exceed together. */
const limits = { seriesPerFamily: 20_000, seriesPerCollector: 150_000, seriesPerPage: 300_000 };

/** Returns the metrics in the expressions of the rules that need the statuses of services. */
function metricsOfServiceRules(): readonly string[] {
  const needing = rules.filter((rule) => rule.scope === 'cluster' && rule.needs.includes('services'));
  const expressions = needing.flatMap(({ twin = '', severityTwins = [] }) => [
    twin,
    ...severityTwins.map((one) => one.twin),
  ]);
  return [...new Set(expressions.join(' ').match(/\bgraphdb_\w+/g))];
}

describe('the statuses of services', () => {
  it('are complete in the rules of Prometheus, whatever the limits', () => {
    const declared = [...metricCatalog(collectors).values()].map(({ metric }) => metric).concat(trackerMetrics);
    const used = metricsOfServiceRules();
    expect(used).toContain('graphdb_partition_online_replicas');
    const limited = used.filter((name) => declared.find((metric) => metric.name === name)?.essential !== true);
    expect(limited).toEqual([]);
  });

  it('of each of 50 clusters are on the page without dropped series', async () => {
    const page = emptyPage(limits);
    const clusters = Array.from({ length: 50 }, (_, at) => `c${at}`);
    for (const cluster of clusters) {
      const { dropped } = await page.put(cluster, content(cluster, [...services.samples(instances(450), now)]));
      expect(dropped).toEqual([]);
    }
    const lines = await linesOf(page);
    for (const cluster of clusters) expect(seriesOf(lines, 'graphdb_service_status', cluster)).toBe(450);
  });

  it('are never dropped by a limit, nor are the series of nodes and of graphwarden', async () => {
    const page = emptyPage({ seriesPerFamily: 1, seriesPerCollector: 1, seriesPerPage: 1 });
    const status = [...new CollectorStatus(5000).samples(services, now)];
    const { dropped } = await page.put('prod', content('prod', [...services.samples(instances(200), now)]));
    await page.put('health', content('prod', [...health.samples({ versions: [] }, now)]));
    await page.put('status', content('prod', status));
    const lines = await linesOf(page);
    expect(seriesOf(lines, 'graphdb_service_status', 'prod')).toBe(200);
    expect(lines).toContain('graphdb_up{cluster_name="prod"} 1');
    expect(lines.filter((line) => line.startsWith('graphwarden_'))).toHaveLength(status.length);
    expect(dropped).toEqual([]);
  });
});
