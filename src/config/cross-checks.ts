import { z } from 'zod';
import { isLoopback } from '../kernel/loopback.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { nodeAddress } from '../model/node-address.ts';
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
          instance: z.string().optional().catch(undefined),
        })
        .optional()
        .catch(undefined),
    )
    .optional()
    .catch(undefined),
  discover: z.unknown().optional(),
  abort_auth: z.unknown().optional(),
  allow_plain_http: z.unknown().optional(),
});

/** Discovery of nodes whose addresses have the scheme http. */
const plainDiscovery = z.looseObject({ scheme: z.literal('http').prefault('http') });

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

const userList = z.array(z.unknown()).catch([]);

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({
  scope: z.string().optional().catch(undefined),
  web_config_file: z.unknown().optional(),
  state_url: z.unknown().optional(),
  state_password_file: z.unknown().optional(),
  state_tls: z.unknown().optional(),
  alerts: z.looseObject({ receivers: z.unknown().optional() }).optional().catch(undefined),
  guard: guardView.optional().catch(undefined),
  operators: userList,
  readers: userList,
  scrapers: userList,
  web: z
    .looseObject({ trusted_proxies: z.array(z.unknown()).catch([]) })
    .optional()
    .catch(undefined),
  clusters: z.array(clusterView.optional().catch(undefined)).catch([]),
});

type ClusterView = z.infer<typeof clusterView>;

/** Labels that scrapers and operators attach; series must not set them. */
const scrapeLabels = ['job', 'instance', 'namespace', 'pod', 'cluster_name', 'node'];

/** Finds problems across keys. Works on the raw value, so that all problems are reported together. */
export function crossCheck(value: unknown, familyLabels: ReadonlySet<string>): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { scope, clusters, alerts, guard } = given.data;
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
    ...checkUsers(given.data),
    ...checkSharedState(given.data),
  ];
}

/** Reports a shared database of a process that is no replica, and its settings without an address. */
function checkSharedState({ scope, ...given }: z.infer<typeof view>): readonly UnlocatedProblem[] {
  if (given.state_url === undefined) {
    const unused = (['state_password_file', 'state_tls'] as const).filter((key) => given[key] !== undefined);
    return unused.map((key) => ({ path: [key], message: `requires state_url; set it or remove ${key}` }));
  }
  if (scope === undefined || scope === 'all') return [];
  return [{ path: ['state_url'], message: `cannot be combined with scope: ${scope}; replicas share whole clusters` }];
}

/** Reports users that nothing authenticates, and scrapers that may do more than scrape. */
function checkUsers({
  web_config_file: webConfigFile,
  web,
  operators,
  readers,
  scrapers,
}: z.infer<typeof view>): readonly UnlocatedProblem[] {
  const roles = { operators, readers, scrapers };
  const isAuthenticated = webConfigFile !== undefined || (web?.trusted_proxies.length ?? 0) > 0;
  const others = [...operators, ...readers];
  return [
    ...Object.entries(roles).flatMap(([role, users]) =>
      users.length === 0 || isAuthenticated
        ? []
        : [{ path: [role], message: `requires web_config_file or web.trusted_proxies; set one or remove ${role}` }],
    ),
    ...scrapers.flatMap((user, at) =>
      typeof user === 'string' && others.includes(user)
        ? [
            {
              path: ['scrapers', at],
              message: 'is also listed in operators or readers; remove it from one of the lists',
            },
          ]
        : [],
    ),
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
    ...sharedInstances(['clusters', at, 'nodes'], cluster),
    ...checkNodes(['clusters', at], cluster, scope),
    ...checkPlainHttp(['clusters', at], cluster),
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

/** Nodes of a cluster, as far as {@link sharedNodes} needs them. */
interface NodesView {
  readonly nodes?: readonly ({ readonly url?: string | undefined } | undefined)[] | undefined;
}

/** Reports a repeated URL: two guards would spend two budgets on the node, or one would see its instance twice. */
export function sharedNodes(clusters: readonly (NodesView | undefined)[]): readonly UnlocatedProblem[] {
  const owners = new Map<string, { readonly cluster: number; readonly node: number }>();
  const problems: UnlocatedProblem[] = [];
  for (const [cluster, { nodes = [] } = {}] of clusters.entries()) {
    for (const [node, { url } = {}] of nodes.entries()) {
      if (url === undefined) continue;
      const first = owners.get(nodeAddress(url));
      if (first === undefined) {
        owners.set(nodeAddress(url), { cluster, node });
        continue;
      }
      const owner = formatPath(['clusters', first.cluster, 'nodes', first.node]);
      const message = `is already the URL of ${owner}; ${first.cluster === cluster ? 'correct the URL, or remove the node' : 'remove the node from one of the clusters'}`;
      problems.push({ path: ['clusters', cluster, 'nodes', node, 'url'], message });
    }
  }
  return problems;
}

/** Reports a repeated instance in a cluster: the guard covers neither node, because one of them answers for the other. */
function sharedInstances(path: KeyPath, { nodes = [] }: ClusterView): readonly UnlocatedProblem[] {
  return nodes.flatMap((node, at) => {
    const first = nodes.findIndex((other) => other?.instance === node?.instance);
    if (node?.instance === undefined || first === at) return [];
    const message = `is already the instance of nodes[${first}]; correct one of them, or remove it so that the guard learns it`;
    return [{ path: [...path, at, 'instance'], message }];
  });
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

/** Reports an `abort_auth` that would be sent to another host without encryption. */
function checkPlainHttp(
  path: KeyPath,
  { nodes = [], discover, abort_auth: auth, allow_plain_http: isAllowed }: ClusterView,
): readonly UnlocatedProblem[] {
  if (auth === undefined || isAllowed === true) return [];
  const plain = nodes.findIndex((node) => node?.url !== undefined && isSentInPlainText(new URL(node.url)));
  if (plain === -1 && !plainDiscovery.safeParse(discover).success) return [];
  const receiver = plain === -1 ? 'the discovered nodes' : `nodes[${plain}]`;
  const message = `is sent to ${receiver} over plain http: anyone who can read the network traffic gets these credentials, and so does a host that takes the place of a node; use https, or set allow_plain_http: true in the cluster to accept the risk`;
  return [{ path: [...path, 'abort_auth'], message, isAboutKey: true }];
}

function isSentInPlainText({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
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
