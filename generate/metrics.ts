import { queryAgeMetrics } from '../src/app/age-histograms.ts';
import { collectors } from '../src/collect/all.ts';
import { catalogueOf } from '../src/collect/catalogue.ts';
import { trackerMetrics } from '../src/track/tracker-metrics.ts';
import { type GeneratedFile, origin, table } from './document.ts';
import { ownFamilies } from './own-metrics.ts';

/** One family, as documents and dashboards may speak of it. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly unit: string;
  readonly source: string;
  /** Empty for families about ourselves. */
  readonly collectors: readonly string[];
}

const units = ['seconds', 'bytes', 'ratio'];

/** Base unit by the naming rules: it is the name's last word, before `_total`. */
export function unitOf(name: string): string {
  const word =
    name
      .replace(/_total$/, '')
      .split('_')
      .at(-1) ?? '';
  return units.includes(word) ? word : '';
}

/** Every family there can be on the page, by name: what is watched, then what we say about ourselves. */
export function families(): readonly Family[] {
  const watched = [...catalogueOf(collectors).values()].map(({ metric, scope, collectors: shownBy }): Family => {
    const { name, type, help, source } = metric;
    const labels = ['cluster_name', ...(scope === 'node' ? ['node'] : []), ...metric.labels];
    return { name, type, help, labels, unit: unitOf(name), source, collectors: shownBy };
  });
  const overTime = [
    ...trackerMetrics.map((metric) => ({ metric, collectors: ['services'] })),
    ...queryAgeMetrics.map((metric) => ({ metric, collectors: ['queries'] })),
  ].map(({ metric: { name, type, help, labels, source }, collectors: shownBy }): Family => {
    return { name, type, help, labels: ['cluster_name', ...labels], unit: unitOf(name), source, collectors: shownBy };
  });
  const own = ownFamilies().map((family): Family => ({ ...family, unit: unitOf(family.name), collectors: [] }));
  return [...watched, ...overTime, ...own.toSorted((one, other) => (one.name < other.name ? -1 : 1))];
}

/** The reference for people. */
export function metricsReference(): GeneratedFile {
  const all = families();
  const about = collectors.map(({ name, about: text, scope, privilege }) => [
    `\`${name}\``,
    scope,
    text,
    privilege === '' ? 'none' : privilege,
  ]);
  const parts = [
    introduction,
    '## Collectors',
    table(['collector', 'scope', 'reads', 'privilege'], about),
    ...collectors.flatMap(({ name }) => familiesOf(name, all)),
    '## About graphwarden itself',
    table(['name', 'type', 'labels', 'unit', 'meaning'], all.filter(isOwn).map(ownRow)),
  ];
  return { path: 'docs/metrics.md', text: `${parts.join('\n\n')}\n` };
}

/** The same for programs. */
export function metricsCatalogue(): GeneratedFile {
  return { path: 'docs/metrics.json', text: `${JSON.stringify({ families: families() }, null, 2)}\n` };
}

function familiesOf(collector: string, all: readonly Family[]): readonly string[] {
  const shown = all.filter(({ collectors: shownBy }) => shownBy[0] === collector);
  if (shown.length === 0) return [];
  const head = ['name', 'type', 'labels', 'unit', 'meaning', 'source'];
  return [
    `## \`${collector}\``,
    table(
      head,
      shown.map((family) => [...ownRow(family), family.source]),
    ),
  ];
}

function isOwn({ collectors: shownBy }: Family): boolean {
  return shownBy.length === 0;
}

function ownRow({ name, type, labels, unit, help }: Family): readonly string[] {
  return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), unit, help];
}

const introduction = `# Metrics

${origin} The same list for programs is in [metrics.json](metrics.json).

Every series about a cluster carries \`cluster_name\` and the labels that the configuration gives the cluster; those are not
repeated below. A label that does not apply is empty, never missing. Gauges go when a reading fails or grows older than
\`stale_after\`; counters and the last result of a check stay. With \`collectors.metrics.passthrough\` the server's own families
are on the page as well, under their own names, once per cluster.`;
