import { type Family, families } from '../metrics.ts';

const known = new Map(families().map((family) => [family.name, family]));
const scoped = ['cluster_name', 'node', 'graph'];
const parts = /_(?:bucket|sum|count)$/;

/**
 * A selector with the matchers of every variable that applies. A family that is not in the catalogue throws, and so
 * does a matcher of a label that it does not have.
 */
export function series(name: string, ...where: readonly string[]): string {
  const labels = labelsOf(name);
  for (const matcher of where) {
    const label = /^\w+/.exec(matcher)?.[0] ?? '';
    if (!labels.includes(label)) throw new Error(`${name} has no label '${label}'`);
  }
  const variables = ['job', 'instance', ...scoped.filter((label) => labels.includes(label))];
  return `${name}{${[...variables.map((label) => `${label}=~"$${label}"`), ...where].join(', ')}}`;
}

/**
 * The facts of a family, each once: where two daemons watch one cluster both tell it, and whatever labels scrapers and
 * configurations attach are gone.
 */
export function facts(name: string, ...where: readonly string[]): string {
  return once(name, series(name, ...where));
}

/** Growth per second of a counter, each fact once. */
export function rate(name: string, ...where: readonly string[]): string {
  return once(name, `rate(${series(name, ...where)}[$__rate_interval])`);
}

/** Growth of a counter within a step, each fact once. */
export function increase(name: string, ...where: readonly string[]): string {
  return once(name, `increase(${series(name, ...where)}[$__rate_interval])`);
}

/** A quantile of a histogram by some of its labels; telling a fact twice does not change it. */
export function quantile(share: number, name: string, ...by: readonly string[]): string {
  const grown = `rate(${series(`${name}_bucket`)}[$__rate_interval])`;
  return `histogram_quantile(${share}, sum by (${['le', ...by].join(', ')}) (${grown}))`;
}

/** The labels of a family, those that every series of a cluster carries included. */
export function labelsOf(name: string): readonly string[] {
  const family = known.get(name) ?? histogram(name);
  if (family === undefined) throw new Error(`there is no family ${name}`);
  return name.endsWith('_bucket') && family.name !== name ? [...family.labels, 'le'] : family.labels;
}

/** The histogram that a series is a part of. */
function histogram(name: string): Family | undefined {
  const family = known.get(name.replace(parts, ''));
  return family?.type === 'histogram' ? family : undefined;
}

/** What this process tells of itself has no cluster: there the scraper's label says which process. */
function once(name: string, expression: string): string {
  const labels = labelsOf(name);
  const by = isOwn(name) ? ['instance', ...labels] : labels;
  return `max by (${by.join(', ')}) (${expression})`;
}

/** About the process itself, not about a cluster. */
function isOwn(name: string): boolean {
  return !name.startsWith('graphdb_') && !labelsOf(name).includes('cluster_name');
}
