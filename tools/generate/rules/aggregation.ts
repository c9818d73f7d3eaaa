import { documentedMetrics } from '../metrics-reference.ts';

/**
 * Labels that a scrape by address or a Prometheus operator attaches. They distinguish several instances of graphwarden,
 * or several targets of one instance. `job` and `namespace` are kept, because they distinguish installations.
 */
const scrapeLabels = ['instance', 'pod', 'container', 'endpoint', 'service'];

const labelsOf = new Map(documentedMetrics().map(({ name, labels }) => [name, labels]));

/**
 * Returns one series per subject, for any number of scraped instances and attached labels. A problem that one instance
 * reports is a problem.
 *
 * @param identity labels that distinguish the subjects, besides the labels of the cluster.
 */
export function aggregatePerSubject(expression: string, identity: readonly string[]): string {
  const others = familiesIn(expression)
    .flatMap((name) => labelsOf.get(name) ?? [])
    .filter((label) => label !== 'cluster_name' && !identity.includes(label));
  return `max without (${[...new Set([...scrapeLabels, ...others])].join(', ')}) (${expression})`;
}

/** Returns one series per installation of graphwarden and each of its parts, for any clusters. */
export function aggregatePerInstallation(expression: string, identity: readonly string[]): string {
  return `max by (${['job', 'namespace', ...identity].join(', ')}) (${expression})`;
}

/** Returns the metrics that an expression uses. */
export function familiesIn(expression: string): readonly string[] {
  return [...new Set(expression.match(/\b(?:graphdb|graphwarden)_\w+/g))];
}
