import { families } from '../metrics.ts';

/**
 * What tells one of several graphwardens, or one of several ways to the same one, from another: labels that a scrape by
 * address or a Prometheus operator attaches. `job` and `namespace` stay: they tell installations apart.
 */
const scrapeLabels = ['instance', 'pod', 'container', 'endpoint', 'service'];

const labelsOf = new Map(families().map(({ name, labels }) => [name, labels]));

/**
 * One series for each thing, however many graphwardens are scraped and whatever labels that attaches. What is wrong for
 * one of them is wrong: any doubt means send.
 *
 * @param identity the labels, beside those of the cluster, by which the things are told apart.
 */
export function onePerThing(expression: string, identity: readonly string[]): string {
  const others = familiesIn(expression)
    .flatMap((name) => labelsOf.get(name) ?? [])
    .filter((label) => label !== 'cluster_name' && !identity.includes(label));
  return `max without (${[...new Set([...scrapeLabels, ...others])].join(', ')}) (${expression})`;
}

/** One series for each installation of graphwarden and each of its parts, whichever clusters it watches. */
export function onePerInstallation(expression: string, identity: readonly string[]): string {
  return `max by (${['job', 'namespace', ...identity].join(', ')}) (${expression})`;
}

/** The families that an expression names. */
export function familiesIn(expression: string): readonly string[] {
  return [...new Set(expression.match(/\b(?:graphdb|graphwarden)_\w+/g))];
}
