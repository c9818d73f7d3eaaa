import { queryAgeMetrics } from '../../src/app/page/query-ages.ts';
import { inventoryMetrics } from '../../src/app/poll/inventory-changes.ts';
import { probeHistoryMetrics } from '../../src/app/poll/probe-history.ts';
import { collectors } from '../../src/collect/all.ts';
import { metricCatalog } from '../../src/collect/collector.ts';
import { probeMetrics } from '../../src/collect/probes/probe-collector.ts';
import { trackerMetrics } from '../../src/track/tracker-metrics.ts';
import { type GeneratedFile, generatedNotice, table } from './generated-file.ts';
import { selfMetricFamilies } from './self-metrics.ts';

/** Metric family that documentation and dashboards may use. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly unit: string;
  readonly source: string;
  /** Collectors that expose the family; empty for self-metrics. */
  readonly collectors: readonly string[];
}

/** Names of the collectors that report changes of an inventory. */
const inventoryCollectors = collectors.filter(({ inventory }) => inventory !== undefined).map(({ name }) => name);

const units = ['seconds', 'bytes', 'ratio'];

/** Returns the base unit of a metric: by the naming rules, the last word of its name before `_total`; `''` without one. */
export function baseUnitOf(name: string): string {
  const word =
    name
      .replace(/_total$/, '')
      .split('_')
      .at(-1) ?? '';
  return units.includes(word) ? word : '';
}

/** Returns all families that the metrics page can contain, by name: those of collectors, then self-metrics. */
export function documentedMetrics(): readonly DocumentedMetric[] {
  const watched = [...metricCatalog(collectors).values()].map(
    ({ metric, scope, collectors: shownBy }): DocumentedMetric => {
      const { name, type, help, source } = metric;
      const labels = ['cluster_name', ...(scope === 'node' ? ['node'] : []), ...metric.labels];
      return { name, type, help, labels, unit: baseUnitOf(name), source, collectors: shownBy };
    },
  );
  const overTime = [
    ...trackerMetrics.map((metric) => ({ metric, collectors: ['services'] })),
    ...inventoryMetrics.map((metric) => ({ metric, collectors: inventoryCollectors })),
    ...queryAgeMetrics.map((metric) => ({ metric, collectors: ['queries'] })),
    ...[...probeMetrics, ...probeHistoryMetrics].map((metric) => ({
      // A probe of the whole cluster has no node.
      metric: { ...metric, labels: ['node', ...metric.labels] },
      collectors: ['probes'],
    })),
  ].map(({ metric: { name, type, help, labels, source }, collectors: shownBy }): DocumentedMetric => {
    return {
      name,
      type,
      help,
      labels: ['cluster_name', ...labels],
      unit: baseUnitOf(name),
      source,
      collectors: shownBy,
    };
  });
  const own = selfMetricFamilies().map(
    (family): DocumentedMetric => ({ ...family, unit: baseUnitOf(family.name), collectors: [] }),
  );
  return [...watched, ...overTime, ...own.toSorted((one, other) => (one.name < other.name ? -1 : 1))];
}

/** Returns the metrics reference in Markdown. */
export function metricsReference(): GeneratedFile {
  const all = documentedMetrics();
  const about = collectors.map(({ name, about: text, scope, privilege }) => [
    `\`${name}\``,
    scope,
    text,
    privilege === '' ? 'none' : privilege,
  ]);
  const parts = [
    introduction,
    '## Collectors',
    table(['collector', 'scope', 'description', 'privilege'], about),
    ...collectors.flatMap(({ name }) => familiesOf(name, all)),
    ...familiesOf('probes', all),
    '## About graphwarden itself',
    table(['name', 'type', 'labels', 'unit', 'meaning'], all.filter(isSelfMetric).map(selfMetricRow)),
  ];
  return { path: 'docs/metrics.md', text: `${parts.join('\n\n')}\n` };
}

/** Returns the metrics reference in JSON, for programs. */
export function metricsCatalogue(): GeneratedFile {
  return { path: 'docs/metrics.json', text: `${JSON.stringify({ families: documentedMetrics() }, null, 2)}\n` };
}

function familiesOf(collector: string, all: readonly DocumentedMetric[]): readonly string[] {
  const shown = all.filter(({ collectors: shownBy }) => shownBy[0] === collector);
  if (shown.length === 0) return [];
  const head = ['name', 'type', 'labels', 'unit', 'meaning', 'source'];
  return [
    `## \`${collector}\``,
    table(
      head,
      shown.map((family) => [...selfMetricRow(family), family.source]),
    ),
  ];
}

function isSelfMetric({ collectors: shownBy }: DocumentedMetric): boolean {
  return shownBy.length === 0;
}

function selfMetricRow({ name, type, labels, unit, help }: DocumentedMetric): readonly string[] {
  return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), unit, help];
}

const introduction = `# Metrics

${generatedNotice} [metrics.json](metrics.json) contains the same list for programs.

Every series about a cluster has the label \`cluster_name\` and the labels that the configuration adds to the cluster; the tables omit
the latter. A label that does not apply is empty, never missing. Gauges disappear when a poll fails or its result is older than
\`stale_after\`; counters and the last result of a check remain. With \`collectors.metrics.passthrough\` the server's own families
are exposed as well, under their own names, once per cluster.

Series for reasons, outcomes and statuses that may never occur appear when they first occur, with the value 0 for a minute, so that
\`increase()\` counts the first change. The series of \`graphdb_service_status\` exists only while the instance has the status. For a
share of time use \`graphdb_service_online_seconds_total\` and \`graphdb_service_observed_seconds_total\`, or
\`avg_over_time((graphdb_service_status_code == bool 6)[1h:])\`.`;
