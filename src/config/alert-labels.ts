import { alertName } from '../alert/active-alert.ts';
import { isMet, type Matcher, matches, regexAlternatives } from '../alert/matcher.ts';
import type { Rule } from '../alert/rule.ts';
import { severities } from '../model/alert.ts';
import type { Config } from './config.ts';
import { isSafeToShow } from './key-path.ts';
import { closestMatch } from './name-suggestions.ts';

/** Labels of every alert, except `cluster_name` on alerts about graphwarden itself. */
const ownLabels = ['alertname', 'severity', 'cluster_name'];

/** Returns the names of all labels that alerts can have. `configured` are the labels that clusters and rules add. */
export function alertLabelNames(rules: readonly Rule[], configured: Iterable<string>): ReadonlySet<string> {
  return new Set([...ownLabels, ...rules.flatMap(({ labels }) => labels), ...configured]);
}

/** Returns the problem of a label name that no alert has; undefined for a known one. The name is printed only if it looks like one. */
export function labelNameProblem(
  name: string,
  known: ReadonlySet<string>,
): { readonly message: string; readonly hint: string } | undefined {
  if (known.has(name)) return undefined;
  return {
    message: isSafeToShow(name) ? `unknown label \`${name}\`` : 'unknown label',
    get hint() {
      const names = [...known];
      const meant = closestMatch(name, names);
      return meant === undefined ? `known labels: ${names.join(', ')}` : `did you mean \`${meant}\`?`;
    },
  };
}

/** Configuration that determines the labels of alerts. */
export interface LabelSettings {
  readonly clusters: Config['clusters'];
  readonly alerts: Pick<Config['alerts'], 'rules'>;
}

/** Returns the names of the labels that clusters and rules add to alerts. */
export function configuredLabelNames({ clusters, alerts }: LabelSettings): readonly string[] {
  return [...clusters, ...Object.values(alerts.rules)].flatMap(({ labels }) => Object.keys(labels));
}

/** Matcher that matches no alert of a configuration, or that excludes none. */
export interface MatcherWarning {
  /** Position in the list of matchers. */
  readonly index: number;
  readonly message: string;
  /** The known value that is most similar. */
  readonly meant: KnownValue | undefined;
}

/** Value that a label can have. */
interface KnownValue {
  readonly value: string;
  /** Where the configuration has it, such as `the name of clusters[0]`; absent for values of the program. */
  readonly path?: string;
}

/** Finds the matchers of a list whose value fits no configured cluster, node or label value, no severity and no rule. */
export function matcherWarnings(
  matchers: readonly Matcher[],
  settings: LabelSettings,
  rules: readonly Rule[],
): readonly MatcherWarning[] {
  const known = new Map<string, readonly KnownValue[] | undefined>();
  return matchers.flatMap((matcher, index) => {
    const { name } = matcher;
    if (!known.has(name)) known.set(name, knownValues(name, matchers, settings, rules));
    const values = known.get(name);
    const message = values && valueProblem(matcher, values);
    if (values === undefined || message === undefined) return [];
    return [
      {
        index,
        message,
        get meant() {
          return meantValue(matcher, values, rules);
        },
      },
    ];
  });
}

/** Returns the known value that is most similar; for `alertname`, also the one whose rule is named. */
function meantValue(
  { name, value }: Matcher,
  values: readonly KnownValue[],
  rules: readonly Rule[],
): KnownValue | undefined {
  const rule = name === 'alertname' ? rules.find((one) => one.name === value) : undefined;
  if (rule !== undefined) return { value: alertName(rule) };
  const named = values.filter((known) => known.value !== '');
  const close = closestMatch(
    value,
    named.map((known) => known.value),
  );
  return named.find((known) => known.value === close);
}

/** Values that a label can have, '' if it can be absent; undefined if its values are not known in advance. */
function knownValues(
  name: string,
  matchers: readonly Matcher[],
  { clusters, alerts }: LabelSettings,
  rules: readonly Rule[],
): readonly KnownValue[] | undefined {
  if (name === 'severity') return severities.map((value) => ({ value }));
  if (name === 'alertname') return rules.map((rule) => ({ value: alertName(rule) }));
  const added = [...clusterLabelValues(name, clusters), ...ruleLabelValues(name, alerts)];
  if (name === 'cluster_name') return [absent, ...added, ...clusterNames(clusters)];
  if (name !== 'node') return rules.some(({ labels }) => labels.includes(name)) ? undefined : [absent, ...added];
  const nodes = nodeNames(matchers, clusters);
  return nodes && [absent, ...added, ...nodes];
}

const absent: KnownValue = { value: '' };

function clusterNames(clusters: LabelSettings['clusters']): readonly KnownValue[] {
  return clusters.map(({ name: value }, at) => ({ value, path: `the name of clusters[${at}]` }));
}

/** Names of the nodes of the clusters that the other matchers select; undefined if they are discovered at run time. */
function nodeNames(
  matchers: readonly Matcher[],
  clusters: LabelSettings['clusters'],
): readonly KnownValue[] | undefined {
  const ofCluster = matchers.filter(({ name }) => name === 'cluster_name');
  const selected = clusters.map((cluster) => matches(ofCluster, { cluster_name: cluster.name }));
  if (!selected.includes(true) || clusters.some(({ discover }, at) => selected[at] === true && discover !== undefined))
    return undefined;
  return clusters.flatMap(({ nodes }, cluster) =>
    selected[cluster] === true
      ? nodes.map(({ name: value }, at) => ({ value, path: `the name of clusters[${cluster}].nodes[${at}]` }))
      : [],
  );
}

function clusterLabelValues(name: string, clusters: LabelSettings['clusters']): readonly KnownValue[] {
  return clusters.flatMap(({ labels }, at) =>
    Object.hasOwn(labels, name) ? [{ value: labels[name] ?? '', path: `clusters[${at}].labels.${name}` }] : [],
  );
}

function ruleLabelValues(name: string, { rules }: LabelSettings['alerts']): readonly KnownValue[] {
  return Object.entries(rules).flatMap(([rule, { labels }]) =>
    Object.hasOwn(labels, name) ? [{ value: labels[name] ?? '', path: `alerts.rules.${rule}.labels.${name}` }] : [],
  );
}

/** Nouns for the values of these labels; other labels have `values`. */
const nouns: Readonly<Record<string, string>> = {
  severity: 'severity',
  alertname: 'alert rule',
  cluster_name: 'configured cluster',
  node: 'configured node',
};

function valueProblem(matcher: Matcher, values: readonly KnownValue[]): string | undefined {
  const noun = nouns[matcher.name] ?? 'configured value of this label';
  const isPositive = matcher.operator === '=' || matcher.operator === '=~';
  const met = values.filter(({ value }) => isMet(matcher, value)).length;
  if (isPositive ? met === 0 : met === values.length) return isPositive ? `matches no ${noun}` : `excludes no ${noun}`;
  if (met === 0) return `excludes every ${noun}, and therefore matches no alert`;
  const parts = matcher.operator === '=~' ? regexAlternatives(matcher.value) : [];
  const isUseless = parts.some((value) => !values.some((known) => isMet({ ...matcher, value }, known.value)));
  return isUseless ? `has an alternative that matches no ${noun}` : undefined;
}
