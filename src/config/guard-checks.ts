import { z } from 'zod';
import type { Collector } from '../collect/collector.ts';
import { durationField } from '../graphdb/settings-fields.ts';
import { givenConditions } from '../guard/conditions/all.ts';
import { breakersField, budgetsField } from '../guard/guard-section.ts';
import { compilePatterns } from '../guard/pattern.ts';
import type { Policy } from '../guard/policy.ts';
import { impliedBy } from '../guard/policy-reach.ts';
import { deepEqual } from '../kernel/deep-equal.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import type { ClusterSettings } from '../model/settings.ts';
import type { Config } from './config.ts';
import { checkGates, checkHostGates, hostsView } from './gate-checks.ts';
import { clusterList, type NamedList, receiverList, unknownNameFinding } from './name-suggestions.ts';

const text = z.string().optional().catch(undefined);
const texts = z.array(text).optional().catch(undefined);
const named = z.looseObject({ name: text });

const policyView = z.looseObject({
  name: text,
  mode: text,
  clusters: texts,
  notify: texts,
  group: z.looseObject({ by: texts }).optional().catch(undefined),
  gate: z.unknown().optional(),
});
const clusterView = named.extend({
  read_auth: z.unknown().optional(),
  abort_auth: z.unknown().optional(),
  nodes: hostsView,
});

function optionalList<Entry extends z.ZodType>(entry: Entry) {
  return z.array(entry.optional().catch(undefined)).optional().catch(undefined);
}

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({
  scope: text,
  clusters: optionalList(clusterView),
  alerts: z
    .looseObject({ receivers: optionalList(named) })
    .optional()
    .catch(undefined),
  collectors: z.unknown().optional(),
  state: z
    .looseObject({ retention: z.looseObject({ audit: durationField.optional().catch(undefined) }) })
    .optional()
    .catch(undefined),
  guard: z
    .looseObject({
      mode: text,
      budgets: z.looseObject({ per_cluster: z.unknown().optional() }).optional().catch(undefined),
      breakers: z.unknown().optional(),
      policies: optionalList(policyView),
    })
    .optional()
    .catch(undefined),
});

type View = z.infer<typeof view>;
type PolicyView = z.infer<typeof policyView>;

/** Finds contradictions between the `guard` section and the rest of the file. */
export function checkGuard(value: unknown, collectors: readonly Collector[]): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { guard, collectors: intervals } = given.data;
  const policies = guard?.policies ?? [];
  const receivers = receiverList((given.data.alerts?.receivers ?? []).map((receiver) => receiver?.name ?? ''));
  const clusters = clusterList((given.data.clusters ?? []).map((cluster) => cluster?.name ?? ''));
  return [
    ...duplicateNames(policies),
    ...nodeScopeConflicts(given.data),
    ...clusterScopePolicies(given.data),
    ...shortAudit(given.data),
    ...policies.flatMap((policy, at) => {
      if (policy === undefined) return [];
      const path = ['guard', 'policies', at];
      return [
        ...checkClusters(path, policy, clusters),
        ...impossibleEnforcement(path, policy, given.data),
        ...checkNotify(path, policy, receivers),
        ...checkGates([...path, 'gate'], policy.gate, { given: intervals, collectors }),
      ];
    }),
  ];
}

/** Reports duplicate names: budgets, circuit breakers and metrics are kept by policy name. */
function duplicateNames(policies: readonly (PolicyView | undefined)[]): readonly UnlocatedProblem[] {
  return policies.flatMap((policy, at) => {
    const first = policies.findIndex((other) => other?.name === policy?.name);
    if (policy?.name === undefined || first === at) return [];
    return [
      {
        path: ['guard', 'policies', at, 'name'],
        message: `is already the name of policies[${first}]; choose another name`,
      },
    ];
  });
}

/** Reports settings that a sidecar cannot honor: it does not know the queries and aborts of other nodes. */
function nodeScopeConflicts({ scope, guard }: View): readonly UnlocatedProblem[] {
  if (scope !== 'node' || guard === undefined) return [];
  const budget = {
    path: ['guard', 'budgets', 'per_cluster'],
    message: 'is not supported with `scope: node`; use per_node',
  };
  const alone = guard.policies?.map((policy) => policy?.group?.by?.includes('node') === false) ?? [];
  return [
    ...(guard.budgets?.per_cluster === undefined ? [] : [{ ...budget, isAboutKey: true }]),
    ...alone.flatMap((isWider, at) => {
      if (!isWider) return [];
      const message = 'must contain node with `scope: node`, because the queries of other nodes are unknown';
      return [{ path: ['guard', 'policies', at, 'group', 'by'], message, isAboutKey: true }];
    }),
  ];
}

/** Reports policies of a process that polls no process lists: they would never abort a query. */
function clusterScopePolicies({ scope, guard }: View): readonly UnlocatedProblem[] {
  if (scope !== 'cluster' || !guard?.policies?.length) return [];
  const message =
    'are not supported with `scope: cluster`, which polls no process lists; move them to the processes with `scope: node`';
  return [{ path: ['guard', 'policies'], message, isAboutKey: true }];
}

/** Reports an audit that is shorter than a period of the guard: after a restart, the maximum of the period would be available again. */
function shortAudit({ state, guard }: View): readonly UnlocatedProblem[] {
  const kept = guard?.policies?.length ? state?.retention.audit : undefined;
  const budgets = budgetsField.safeParse(guard?.budgets).data;
  const breakers = breakersField.safeParse(guard?.breakers).data;
  if (kept === undefined || budgets === undefined || breakers === undefined) return [];
  const longest = Math.max(budgets.perNode.within, budgets.perCluster.within, breakers.sameQuery.within);
  if (kept >= longest) return [];
  const message = `must be ${formatDuration(longest)} or longer, the longest period of guard.budgets and guard.breakers: aborts are counted in the audit`;
  return [{ path: ['state', 'retention', 'audit'], message }];
}

function checkClusters(path: KeyPath, { clusters }: PolicyView, known: NamedList): readonly UnlocatedProblem[] {
  if (clusters === undefined && known.names.length > 1) {
    return [{ path, message: 'requires clusters, because several are configured; list their names (no globs)' }];
  }
  return (clusters ?? []).flatMap((name, at) => unknownNameFinding([...path, 'clusters', at], name, known));
}

/** Finds clusters in which an enforcing policy can never abort. */
function impossibleEnforcement(
  path: KeyPath,
  { mode, gate, clusters: wanted }: PolicyView,
  { guard, clusters = [], collectors }: View,
) {
  if (guard?.mode !== 'enforce' || mode !== 'enforce' || (wanted === undefined && clusters.length > 1)) return [];
  const isDisabled = isQueriesDisabled(collectors);
  return clusters.flatMap((cluster, at): readonly UnlocatedProblem[] => {
    if (cluster === undefined || (wanted !== undefined && !wanted.includes(cluster.name))) return [];
    const { nodes } = cluster;
    return [
      ...(isDisabled ? [{ path: [...path, 'mode'], message: queriesDisabledMessage }] : []),
      ...missingAbortAuth([...path, 'mode'], cluster, at),
      ...checkHostGates([...path, 'gate'], gate, { nodes, at }),
    ];
  });
}

const queriesDisabledMessage =
  'requires the process lists, but collectors.queries is disabled; enable it, or set the mode to observe';

const queriesView = z.looseObject({ queries: z.looseObject({ enabled: z.literal(false) }) });

function isQueriesDisabled(collectors: unknown): boolean {
  return queriesView.safeParse(collectors).success;
}

/** Finds a cluster that requires authentication and has no credentials for aborts. */
function missingAbortAuth(
  path: KeyPath,
  cluster: z.infer<typeof clusterView>,
  at: number,
): readonly UnlocatedProblem[] {
  if (cluster.read_auth === undefined || cluster.abort_auth !== undefined) return [];
  const message = `requires abort_auth, because clusters[${at}] has read_auth; set clusters[${at}].abort_auth, or set the mode to observe`;
  return [{ path, message }];
}

function checkNotify(path: KeyPath, { notify = [] }: PolicyView, known: NamedList): readonly UnlocatedProblem[] {
  return notify.flatMap((name, at) => unknownNameFinding([...path, 'notify', at], name, known));
}

/** Finds policies and protections whose patterns match none of the configured graphs or nodes. */
export function patternWarnings({ guard, clusters }: Pick<Config, 'guard' | 'clusters'>): readonly UnlocatedProblem[] {
  const { policies, protect } = guard;
  return [
    ...policies.flatMap(({ when, clusters: names }, at) => {
      const own = clusters.filter(({ name }) => names?.includes(name) ?? true);
      return unmatchedPatterns(['guard', 'policies', at, 'when'], when, own);
    }),
    ...protect.flatMap((one, at) => unmatchedPatterns(['guard', 'protect', at], one, clusters)),
  ];
}

/** Minimum share of the timeout that is reported as a percentage. */
const implausibleShare = 20;

/** Finds policies whose minimum share of the timeout looks like a percentage, which hardly any query reaches. */
export function implausibleShares({ policies }: Config['guard']): readonly UnlocatedProblem[] {
  return policies.flatMap(({ when: { ageShare } }, at) => {
    if (ageShare === undefined || ageShare.operator.startsWith('<') || ageShare.value < implausibleShare) return [];
    const message = 'is many times the whole timeout, which queries almost never exceed';
    const path = ['guard', 'policies', at, 'when', 'age_share'];
    return [{ path, message, hint: 'write the share as a fraction: 0.9 is 90 % of the timeout' }];
  });
}

/** Finds policies that an entry of `protect` makes useless, because it protects every query that `when` matches. */
export function protectedPolicies({ policies, protect }: Config['guard']): readonly UnlocatedProblem[] {
  return policies.flatMap(({ when }, at) => {
    const entry = protect.findIndex((one) => requiresNoMore(one, when));
    if (entry < 0) return [];
    const message = `never aborts a query, because guard.protect[${entry}] protects every query that \`when\` selects`;
    return [{ path: ['guard', 'policies', at], message, hint: 'narrow the protection, or remove the policy' }];
  });
}

/**
 * Finds policies that never act because an earlier one owns each of their queries. A policy with a gate, hours or further
 * conditions may leave some, and one that observes leaves all to one that enforces.
 */
export function precededPolicies(
  { policies }: Config['guard'],
  clusters: Config['clusters'],
): readonly UnlocatedProblem[] {
  const names = clusters.map(({ name }) => name);
  const scopes = policies.map(({ clusters: own = names }) => own);
  const conditions = policies.map(({ when }) => [...givenConditions(when)]);
  return policies.flatMap((policy, at) => {
    const isImplied = impliedBy(policy.when);
    const owner = policies.findIndex(
      (earlier, index) =>
        index < at &&
        isImplied(conditions[index] ?? []) &&
        mayOwn(earlier, policy) &&
        scopes[at]?.every((name) => scopes[index]?.includes(name)) === true,
    );
    if (owner < 0) return [];
    const message = `never acts, because guard.policies[${owner}] comes first and matches every query that this policy matches`;
    return [{ path: ['guard', 'policies', at], message, hint: 'move it before that policy, or remove it' }];
  });
}

/** Whether an earlier policy leaves none of the queries that it matches to a later one. */
function mayOwn(earlier: Policy, policy: Policy): boolean {
  const { mode, unless, gate, active, group } = earlier;
  if (mode === 'observe' && policy.mode === 'enforce') return false;
  if ([unless, gate, active, group].some((one) => one !== undefined)) return false;
  return deepEqual(earlier.confirm, policy.confirm);
}

/** Whether each condition of `exempt` is also one of `when`. */
function requiresNoMore(exempt: object, when: object): boolean {
  const selected = new Map<string, unknown>(Object.entries(when));
  const needed = Object.entries(exempt).filter(([, value]: [string, unknown]) => value !== undefined);
  return (
    needed.length > 0 && needed.every(([key, value]) => JSON.stringify(selected.get(key)) === JSON.stringify(value))
  );
}

function unmatchedPatterns(
  path: KeyPath,
  conditions: Pick<Policy['when'], 'graph' | 'node'>,
  clusters: readonly ClusterSettings[],
): readonly UnlocatedProblem[] {
  return (['graph', 'node'] as const).flatMap((key) => {
    const patterns = conditions[key];
    const isKnown = patterns === undefined ? () => true : compilePatterns(patterns);
    if (clusters.some((cluster) => configuredNames(cluster)[key]?.some(isKnown) ?? true)) return [];
    const hint = `correct the name, or add it to clusters[].${key}s`;
    return [{ path: [...path, key], message: `matches no configured ${key}, so it never matches a query`, hint }];
  });
}

/** Returns the configured names of graphs and nodes; undefined for those that are discovered. */
function configuredNames({ graphs, nodes, discover }: ClusterSettings) {
  return {
    graph: graphs === 'auto' ? undefined : graphs,
    node: discover === undefined ? nodes.map(({ name }) => name) : undefined,
  };
}
