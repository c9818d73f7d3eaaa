import { z } from 'zod';
import type { Collector } from '../collect/collector.ts';
import type { Finding, KeyPath } from '../model/problem.ts';
import { checkGates } from './gate-checks.ts';
import { checkHosts, hostsView } from './host-checks.ts';
import { receiverList, unknownName } from './unknown-names.ts';

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

function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z.array(entry.optional().catch(undefined)).optional().catch(undefined);
}

/** Everything here may be absent or wrong: a view never fails, it sees less. */
const view = z.looseObject({
  scope: text,
  clusters: listOf(clusterView),
  alerts: z
    .looseObject({ receivers: listOf(named) })
    .optional()
    .catch(undefined),
  collectors: z.unknown().optional(),
  guard: z
    .looseObject({
      mode: text,
      budgets: z.looseObject({ per_cluster: z.unknown().optional() }).optional().catch(undefined),
      policies: listOf(policyView),
    })
    .optional()
    .catch(undefined),
});

type View = z.infer<typeof view>;
type PolicyView = z.infer<typeof policyView>;

/** Finds what is wrong between the `guard` section and the rest of the file. */
export function checkGuard(value: unknown, collectors: readonly Collector[]): readonly Finding[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { guard, collectors: intervals } = given.data;
  const policies = guard?.policies ?? [];
  return [
    ...repeated(policies),
    ...beyondTheNode(given.data),
    ...policies.flatMap((policy, at) => {
      if (policy === undefined) return [];
      const path = ['guard', 'policies', at];
      return [
        ...checkClusters(path, policy, given.data),
        ...checkNotify(path, policy, given.data),
        ...checkGates([...path, 'gate'], policy.gate, { given: intervals, collectors }),
      ];
    }),
  ];
}

/** A budget, a breaker and a metric belong to a name. */
function repeated(policies: readonly (PolicyView | undefined)[]): readonly Finding[] {
  return policies.flatMap((policy, at) => {
    const first = policies.findIndex((other) => other?.name === policy?.name);
    if (policy?.name === undefined || first === at) return [];
    return [{ path: ['guard', 'policies', at, 'name'], message: `is the name of policies[${first}] already` }];
  });
}

/** Beside each node there is a sidecar: none of them knows what the others abort, or what runs there. */
function beyondTheNode({ scope, guard }: View): readonly Finding[] {
  if (scope !== 'node' || guard === undefined) return [];
  const budget = { path: ['guard', 'budgets', 'per_cluster'], message: 'cannot be kept by one node: use per_node' };
  const alone = guard.policies?.map((policy) => policy?.group?.by?.includes('node') === false) ?? [];
  return [
    ...(guard.budgets?.per_cluster === undefined ? [] : [{ ...budget, aboutKey: true }]),
    ...alone.flatMap((isWider, at) => {
      if (!isWider) return [];
      const message = 'must have node in it with `scope: node`: nothing is known of the others';
      return [{ path: ['guard', 'policies', at, 'group', 'by'], message, aboutKey: true }];
    }),
  ];
}

function checkClusters(path: KeyPath, policy: PolicyView, given: View): readonly Finding[] {
  const clusters = given.clusters ?? [];
  const names = clusters.map((cluster) => cluster?.name ?? '');
  if (policy.clusters === undefined && clusters.length > 1) {
    const hint = 'name them, one by one: globs are not known here';
    return [{ path, message: 'needs clusters: more than one is configured', hint }];
  }
  const known = { key: 'clusters', names, message: 'is the name of no cluster' };
  return [
    ...(policy.clusters ?? []).flatMap((name, at) => unknownName([...path, 'clusters', at], name, known)),
    ...unable(path, policy, given),
  ];
}

/** What an enforcing policy could never do in a cluster that it concerns. */
function unable(path: KeyPath, { mode, gate, clusters: wanted }: PolicyView, { guard, clusters = [] }: View) {
  if (guard?.mode !== 'enforce' || mode !== 'enforce') return [];
  return clusters.flatMap((cluster, at): readonly Finding[] => {
    if (cluster === undefined || (wanted !== undefined && !wanted.includes(cluster.name))) return [];
    const { nodes } = cluster;
    return [...withoutLeave([...path, 'mode'], cluster, at), ...checkHosts([...path, 'gate'], gate, { nodes, at })];
  });
}

/** What reads with a credential has none to abort with unless it is given one; it would only ever be refused. */
function withoutLeave(path: KeyPath, cluster: z.infer<typeof clusterView>, at: number): readonly Finding[] {
  if (cluster.read_auth === undefined || cluster.abort_auth !== undefined) return [];
  const message = `cannot abort anything: clusters[${at}] has read_auth and no abort_auth`;
  return [{ path, message, hint: 'give it one, or let the policy observe' }];
}

function checkNotify(path: KeyPath, { notify = [] }: PolicyView, { alerts }: View): readonly Finding[] {
  const known = receiverList((alerts?.receivers ?? []).map((receiver) => receiver?.name ?? ''));
  return notify.flatMap((name, at) => unknownName([...path, 'notify', at], name, known));
}
