import { instanceMarks } from '../../../src/model/instance-name.ts';
import { type DocumentedMetric, documentedMetrics } from '../metrics-reference.ts';

const knownMetrics = new Map(documentedMetrics().map((family) => [family.name, family]));
const scopeLabels = ['cluster_name', 'node', 'graph', 'service_name'];
const parts = /_(?:bucket|sum|count)$/;

/**
 * Returns a selector with the matchers of every variable that applies. Throws if the catalog does not have the family,
 * or if the family does not have the label of a matcher.
 */
export function selector(name: string, ...where: readonly string[]): string {
  const labels = labelsOf(name);
  for (const matcher of where) {
    const label = /^\w+/.exec(matcher)?.[0] ?? '';
    if (!labels.includes(label)) throw new Error(`${name} has no label '${label}'`);
  }
  const variables = ['job', 'instance', ...scopeLabels.filter((label) => labels.includes(label))];
  return `${name}{${[...variables.map((label) => `${label}=~"$${label}"`), ...where].join(', ')}}`;
}

/**
 * Returns each fact of a family once: if two daemons monitor one cluster, both export it. Labels that scrapers and
 * configurations attach are dropped.
 */
export function deduplicated(name: string, ...where: readonly string[]): string {
  return deduplicate(name, selector(name, ...where));
}

/** Label with the name of a service instance or a partition, which {@link withInstanceName} adds. */
export const instanceLabel = 'service_instance';

/** Adds the name of the service instance, or of the partition, in the notation of the server: `GPE_1#2`. */
export function withInstanceName(expression: string): string {
  const marked = Object.entries(instanceMarks).reduce(
    (before, [label, mark]) => `label_replace(${before}, "${label}_part", "${mark}$1", "${label}", "(.+)")`,
    expression,
  );
  const added = Object.keys(instanceMarks).map((label) => `${label}_part`);
  const named = `label_join(${marked}, "${instanceLabel}", "", "service_name", ${added.map((one) => `"${one}"`).join(', ')})`;
  return `max without (${added.join(', ')}) (${named})`;
}

/** Returns the increase per second of a counter, each fact once. */
export function rate(name: string, ...where: readonly string[]): string {
  return deduplicate(name, `rate(${selector(name, ...where)}[$__rate_interval])`);
}

/** Returns the increase of a counter within a step, each fact once. */
export function increase(name: string, ...where: readonly string[]): string {
  return deduplicate(name, `increase(${selector(name, ...where)}[$__rate_interval])`);
}

/** Returns the average of a histogram by some of its labels. Unlike a quantile, it does not depend on the buckets. */
export function average(name: string, ...by: readonly string[]): string {
  const grouped = `sum by (${by.join(', ')})`;
  return `${grouped} (${rate(`${name}_sum`)}) / (${grouped} (${rate(`${name}_count`)}) > 0)`;
}

/** Returns the labels of a family, including the labels of every series of a cluster. */
export function labelsOf(name: string): readonly string[] {
  const family = knownMetrics.get(name) ?? histogramOf(name);
  if (family === undefined) throw new Error(`unknown metric ${name}`);
  return name.endsWith('_bucket') && family.name !== name ? [...family.labels, 'le'] : family.labels;
}

/** Returns the histogram that a series belongs to. */
function histogramOf(name: string): DocumentedMetric | undefined {
  const family = knownMetrics.get(name.replace(parts, ''));
  return family?.type === 'histogram' ? family : undefined;
}

/** Aggregates duplicates. Self-metrics have no cluster, so the label of the scraper identifies the process. */
function deduplicate(name: string, expression: string): string {
  const labels = labelsOf(name);
  const by = isSelfMetric(name) ? ['instance', ...labels] : labels;
  return `max by (${by.join(', ')}) (${isOfAnyProcess.test(name) ? ofThisProgram(expression) : expression})`;
}

/** Metrics that every program on Node exports under the same names. */
const isOfAnyProcess = /^(?:process|nodejs)_/;

function ofThisProgram(expression: string): string {
  return `${expression} and on (job, instance) ${selector('graphwarden_build_info')}`;
}

/** Whether a metric is about the process itself, not about a cluster. */
function isSelfMetric(name: string): boolean {
  return !name.startsWith('graphdb_') && !labelsOf(name).includes('cluster_name');
}
