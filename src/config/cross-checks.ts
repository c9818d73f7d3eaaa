import { z } from 'zod';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { nodePlace } from '../model/node-place.ts';
import { checkAlerts } from './alert-checks.ts';
import { formatPath } from './key-path.ts';

/** Lenient view of a cluster, for checks that run even if other values are invalid. */
const clusterView = z.looseObject({
  name: z.string().optional().catch(undefined),
  labels: z.record(z.string(), z.unknown()).optional().catch(undefined),
  nodes: z
    .array(
      z
        .looseObject({
          name: z.string().optional().catch(undefined),
          url: z
            .url({ protocol: /^https?$/ })
            .optional()
            .catch(undefined),
        })
        .optional()
        .catch(undefined),
    )
    .optional()
    .catch(undefined),
  discover: z.unknown().optional(),
});

/** Receivers that guard policies notify. */
const guardView = z.looseObject({
  policies: z
    .array(
      z
        .looseObject({ notify: z.array(z.string()) })
        .optional()
        .catch(undefined),
    )
    .catch([]),
});

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({
  scope: z.string().optional().catch(undefined),
  web_config_file: z.unknown().optional(),
  alerts: z.looseObject({ receivers: z.unknown() }).optional().catch(undefined),
  guard: guardView.optional().catch(undefined),
  operators: z.array(z.unknown()).optional().catch(undefined),
  clusters: z.array(clusterView.optional().catch(undefined)).catch([]),
});

type ClusterView = z.infer<typeof clusterView>;

/** Labels that scrapers and operators attach; series must not set them. */
const scrapeLabels = ['job', 'instance', 'namespace', 'pod', 'cluster_name', 'node'];

/** Finds problems across keys. Works on the raw value, so that all problems are reported together. */
export function crossCheck(value: unknown, familyLabels: ReadonlySet<string>): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { scope, clusters, alerts, guard, operators = [], web_config_file: webConfigFile } = given.data;
  const reserved = new Set([...scrapeLabels, ...familyLabels]);
  return [
    ...duplicates(['clusters'], clusters),
    ...(guard === undefined || guard.policies.length === 0 ? [] : sharedNodes(clusters)),
    ...duplicates(['alerts', 'receivers'], parseReceiverNames(alerts?.receivers)),
    ...checkAlerts(
      alerts,
      scope,
      guard?.policies.flatMap((policy) => policy?.notify ?? []),
    ),
    ...clusters.flatMap((cluster, at) => (cluster === undefined ? [] : checkCluster(cluster, at, { scope, reserved }))),
    ...(operators.length > 0 && webConfigFile === undefined
      ? [
          {
            path: ['operators'],
            message: 'requires web_config_file, which defines the users; set it or remove operators',
          },
        ]
      : []),
  ];
}

interface ClusterContext {
  readonly scope: string | undefined;
  readonly reserved: ReadonlySet<string>;
}

function checkCluster(
  cluster: ClusterView,
  at: number,
  { scope, reserved }: ClusterContext,
): readonly UnlocatedProblem[] {
  return [
    ...duplicates(['clusters', at, 'nodes'], cluster.nodes ?? []),
    ...checkNodes(['clusters', at], cluster, scope),
    ...checkLabels(['clusters', at, 'labels'], Object.keys(cluster.labels ?? {}), reserved),
  ];
}

function parseReceiverNames(receivers: unknown): readonly NamedEntry[] {
  const read = z.array(z.looseObject({ name: z.string() }).optional().catch(undefined)).safeParse(receivers);
  return read.success ? read.data : [];
}

type NamedEntry = { readonly name?: string | undefined } | undefined;

/** Reports the later of two entries with the same name. */
function duplicates(path: KeyPath, items: readonly NamedEntry[]): readonly UnlocatedProblem[] {
  return items.flatMap((item, at) => {
    const name = item?.name;
    const first = items.findIndex((other) => other?.name === name);
    if (name === undefined || first === at) return [];
    return [
      { path: [...path, at, 'name'], message: `is already the name of ${path.at(-1)}[${first}]; choose another name` },
    ];
  });
}

/** Reports a node of an earlier cluster: two guards would spend two budgets on it. */
function sharedNodes(clusters: readonly (ClusterView | undefined)[]): readonly UnlocatedProblem[] {
  const owners = new Map<string, { readonly cluster: number; readonly node: number }>();
  const problems: UnlocatedProblem[] = [];
  for (const [cluster, { nodes = [] } = {}] of clusters.entries()) {
    for (const [node, { url } = {}] of nodes.entries()) {
      if (url === undefined) continue;
      const first = owners.get(nodePlace(url)) ?? { cluster, node };
      owners.set(nodePlace(url), first);
      if (first.cluster === cluster) continue;
      const owner = formatPath(['clusters', first.cluster, 'nodes', first.node]);
      const message = `is already the URL of ${owner}; remove the node from one of the clusters`;
      problems.push({ path: ['clusters', cluster, 'nodes', node, 'url'], message });
    }
  }
  return problems;
}

function checkNodes(
  path: KeyPath,
  { nodes, discover }: ClusterView,
  scope: string | undefined,
): readonly UnlocatedProblem[] {
  if (nodes !== undefined && discover !== undefined) {
    return [
      {
        path: [...path, 'discover'],
        message: 'is mutually exclusive with nodes; remove one of them',
        isAboutKey: true,
      },
    ];
  }
  if (nodes === undefined && discover === undefined) {
    const hint = 'for example `nodes: [{ name: m1, url: "http://10.0.0.1:14240" }]`';
    return [{ path, message: 'requires nodes or discover', hint }];
  }
  if (scope !== 'node' || nodes?.length === 1) return [];
  const at = [...path, nodes === undefined ? 'discover' : 'nodes'];
  return [{ path: at, message: 'must be a list of exactly one node with `scope: node`', isAboutKey: true }];
}

function checkLabels(
  path: KeyPath,
  names: readonly string[],
  reserved: ReadonlySet<string>,
): readonly UnlocatedProblem[] {
  return names.flatMap((name) => {
    if (!reserved.has(name) && !name.startsWith('__')) return [];
    return [{ path: [...path, name], message: 'is a reserved label; choose another name', isAboutKey: true }];
  });
}
