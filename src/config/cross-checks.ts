import { z } from 'zod';
import type { Finding, KeyPath } from '../model/problem.ts';
import { checkAlerts } from './alert-checks.ts';

/** What a cluster looks like to a check that must work while other things are still wrong. */
const clusterView = z.looseObject({
  name: z.string().optional().catch(undefined),
  labels: z.record(z.string(), z.unknown()).optional().catch(undefined),
  nodes: z
    .array(
      z
        .looseObject({ name: z.string().optional().catch(undefined) })
        .optional()
        .catch(undefined),
    )
    .optional()
    .catch(undefined),
  discover: z.unknown().optional(),
});

/** Of the guard, whom its policies tell. */
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

/** Everything here may be absent or wrong: a view never fails, it sees less. */
const view = z.looseObject({
  scope: z.string().optional().catch(undefined),
  web_config_file: z.unknown().optional(),
  alerts: z.looseObject({ receivers: z.unknown() }).optional().catch(undefined),
  guard: guardView.optional().catch(undefined),
  operators: z.array(z.unknown()).optional().catch(undefined),
  clusters: z.array(clusterView.optional().catch(undefined)).catch([]),
});

type ClusterView = z.infer<typeof clusterView>;

/** Labels that scrapers and operators attach; a series of ours must not claim them. */
const foreignLabels = ['job', 'instance', 'namespace', 'pod', 'cluster_name', 'node'];

/** Finds what only shows across keys. Works on the value as given, so that it has its say beside all other problems. */
export function crossCheck(value: unknown, familyLabels: ReadonlySet<string>): readonly Finding[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { scope, clusters, alerts, guard, operators = [], web_config_file: webConfigFile } = given.data;
  const reserved = new Set([...foreignLabels, ...familyLabels]);
  return [
    ...duplicates(['clusters'], clusters),
    ...duplicates(['alerts', 'receivers'], receiversIn(alerts?.receivers)),
    ...checkAlerts(
      alerts,
      scope,
      guard?.policies.flatMap((policy) => policy?.notify ?? []),
    ),
    ...clusters.flatMap((cluster, at) => (cluster === undefined ? [] : checkCluster(cluster, at, { scope, reserved }))),
    ...(operators.length > 0 && webConfigFile === undefined
      ? [{ path: ['operators'], message: 'needs web_config_file: without it nobody can show who they are' }]
      : []),
  ];
}

interface Context {
  readonly scope: string | undefined;
  readonly reserved: ReadonlySet<string>;
}

function checkCluster(cluster: ClusterView, at: number, { scope, reserved }: Context): readonly Finding[] {
  return [
    ...duplicates(['clusters', at, 'nodes'], cluster.nodes ?? []),
    ...checkNodes(['clusters', at], cluster, scope),
    ...checkLabels(['clusters', at, 'labels'], Object.keys(cluster.labels ?? {}), reserved),
  ];
}

function receiversIn(receivers: unknown): readonly Named[] {
  const read = z.array(z.looseObject({ name: z.string() }).optional().catch(undefined)).safeParse(receivers);
  return read.success ? read.data : [];
}

type Named = { readonly name?: string | undefined } | undefined;

/** Complains about the later of two entries with one name, and points at the earlier. */
function duplicates(path: KeyPath, items: readonly Named[]): readonly Finding[] {
  return items.flatMap((item, at) => {
    const name = item?.name;
    const first = items.findIndex((other) => other?.name === name);
    if (name === undefined || first === at) return [];
    return [{ path: [...path, at, 'name'], message: `is the name of ${path.at(-1)}[${first}] already` }];
  });
}

function checkNodes(path: KeyPath, { nodes, discover }: ClusterView, scope: string | undefined): readonly Finding[] {
  if (nodes !== undefined && discover !== undefined) {
    return [{ path: [...path, 'discover'], message: 'cannot stand beside nodes: use one of them', aboutKey: true }];
  }
  if (nodes === undefined && discover === undefined) {
    const hint = 'for example `nodes: [{ name: m1, url: "http://10.0.0.1:14240" }]`';
    return [{ path, message: 'needs nodes or discover', hint }];
  }
  if (scope !== 'node' || nodes?.length === 1) return [];
  const at = [...path, nodes === undefined ? 'discover' : 'nodes'];
  return [{ path: at, message: 'must be a list of exactly one node with `scope: node`', aboutKey: true }];
}

function checkLabels(path: KeyPath, names: readonly string[], reserved: ReadonlySet<string>): readonly Finding[] {
  return names.flatMap((name) => {
    if (!reserved.has(name) && !name.startsWith('__')) return [];
    return [{ path: [...path, name], message: 'is a reserved label: choose another name', aboutKey: true }];
  });
}
