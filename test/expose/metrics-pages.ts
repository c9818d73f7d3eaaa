import { Buffer } from 'node:buffer';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import type { Format, MetricsPage, SourceContent } from '../../src/expose/metrics-page.ts';
import { counter, gauge, type Sample, summary } from '../../src/metric/metric.ts';
import type { FamilyType, ParsedFamily } from '../../src/model/exposition.ts';
import { sampleValues } from '../../src/model/exposition.ts';
import type { LimitSettings } from '../../src/model/settings.ts';
import { FakeClock } from '../support/clock.ts';

/** Limits that no test meets by accident. */
export const wideLimits: LimitSettings = {
  seriesPerFamily: 10_000,
  seriesPerCollector: 20_000,
  seriesPerPage: 30_000,
  labelValueBytes: 256,
  instanceNumber: 1000,
  body: 1_000_000,
};

/** A gauge, a counter and a summary to show. */
export const up = gauge({ name: 'graphdb_up', help: 'Whether the node answers.', source: 'ping' });
export const connections = gauge({
  name: 'graphdb_network_connections',
  help: 'Connections.',
  labels: ['host_id'],
  source: 'metrics',
});
export const traffic = counter({
  name: 'graphdb_network_bytes_total',
  help: 'Bytes "in" and \\ out.\nSecond line.',
  labels: ['host_id', 'direction'],
  source: 'metrics',
});
export const latency = summary({
  name: 'graphdb_endpoint_latency_seconds',
  help: 'Latency.',
  labels: ['path', 'quantile'],
  source: 'statistics',
});

/** An empty page under a clock that stands still. */
export function emptyPage(limits: Partial<LimitSettings> = {}): MetricsPage {
  return createMetricsPage({ ...wideLimits, ...limits }, new FakeClock());
}

/** Returns the content of a cluster named `cluster`. */
export function content(
  cluster: string,
  samples: readonly Sample[],
  passthrough: readonly ParsedFamily[] = [],
): SourceContent {
  return { labels: { cluster_name: cluster }, samples, passthrough };
}

/** A family of the server from `label="value"` pairs and number texts. */
export function family(name: string, type: FamilyType, rows: readonly (readonly [Record<string, string>, string])[]) {
  const parsed: ParsedFamily = {
    name,
    type,
    help: '',
    series: rows.map(([labels]) => ({ name, pairs: Object.entries(labels).flat() })),
    values: sampleValues(rows.map(([, value]) => value)),
  };
  return parsed;
}

/** The plain page as text. */
export async function textOf(page: MetricsPage, format: Format = 'text', tail = ''): Promise<string> {
  const { pieces, release } = await page.body(format, 'identity', tail);
  const text = Buffer.concat(pieces).toString();
  release();
  return text;
}

/** The sample lines of the plain page. */
export async function linesOf(page: MetricsPage): Promise<readonly string[]> {
  return (await textOf(page)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
