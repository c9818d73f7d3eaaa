import type { Severity } from '../model/alert.ts';
import type { Rule } from './rule.ts';

/** The public name of a rule: `GraphdbNodeUnreachable`, and `GraphwardenDeliveryFailing` for one about ourselves. */
export function alertName({ name, scope }: Pick<Rule, 'name' | 'scope'>): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${scope === 'cluster' ? 'Graphdb' : 'Graphwarden'}${words.join('')}`;
}

/**
 * What tells one episode from all others at the same time. The severity belongs to it: what grows worse is another
 * alert, as it is for everybody who looks at its labels.
 */
export function placeOf(
  cluster: string,
  rule: string,
  severity: Severity,
  identity: Readonly<Record<string, string>>,
): string {
  const pairs = Object.entries(identity).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([cluster, rule, severity, ...pairs.flat()]);
}
