import { type Collector, isList } from '../../src/collect/collector.ts';
import { watchingCollectors as collectors } from '../support/watching-collectors.ts';

/** Collector on a node, or on the whole cluster if `node` is `''`. */
export interface CollectorTarget {
  readonly cluster: string;
  readonly collector: string;
  readonly node: string;
}

/** Cluster with one kind of fault. Each kind has its own cluster, so that one run covers all kinds. */
export interface FaultCase {
  readonly cluster: string;
  readonly nodes: number;
  /** Faulty node, and which of its paths fail. */
  readonly faultyNode: string;
  readonly path: RegExp;
  /** Collectors that must fail, on the faulty node or for the whole cluster. */
  readonly affectedCollectors: readonly Collector[];
  /** Collectors that poll the faulty node first and then another node. */
  readonly delayed: readonly Collector[];
  /** Families of graphwarden that must disappear with these collectors. */
  readonly gone: ReadonlySet<string>;
  /** Whether the server's own families disappear. */
  readonly passthroughGone: boolean;
  readonly up: boolean;
}

/** Paths of each collector; collectors with the same paths fail together. */
const paths: Readonly<Record<string, RegExp>> = {
  health: /^\/api\/ping$/,
  metrics: /^\/informant\/metrics$/,
  categories: /^\/informant\/metrics\/get\//,
  services: /^\/informant\/current-service-status$/,
  statistics: /^\/restpp\/statistics\//,
  queries: /^\/restpp\/showprocesslist/,
  delayed_queries: /^\/restpp\/showdelayedlistall$/,
  workload_queues: /^\/restpp\/workload-manager\//,
  license: /^\/restpp\/showlicenseinfo$/,
  consistency: /_check$/,
  endpoints: /^\/restpp\/endpoints$/,
  schema: /^\/gsql\/v1\/schema(?:\/indexes|\/jobs)?$/,
  schema_versions: /^\/restpp\/builtins\//,
  graph_sizes: /^\/restpp\/builtins\//,
  query_definitions: /^\/gsql\/v1\/queries\/info$/,
  loading_jobs: /^\/gsql\/v1\/loading-jobs\/status$/,
  data_sources: /^\/gsql\/v1\/data-sources$/,
  user_functions: /^\/gsql\/v1\/(?:udt\/|library\/)/,
  optimizer_statistics: /^\/gsql\/v1\/stats\/cardinality$/,
  vector_indexes: /^\/restpp\/vector\/status\//,
  detached_queries: /^\/restpp\/query_status$/,
  statements: /^\/gsql\/v1\/statements\//,
  users: /^\/gsql\/v1\/(users|groups|roles)$/,
  scim: /^\/gsql\/scim\/v2\//,
};

/**
 * Returns the cases of a round: each collector, two in one cluster; a call of `health` that does not affect `up`; whole
 * nodes, with and without a second one. In each round a collector shares its cluster with another one, so that a fault
 * in one cannot hide in the other. With a `share`, a round has one of so many parts of the collectors, in turn.
 */
export function faultCases(round: number, share = 1): readonly FaultCase[] {
  const byPath = [...Map.groupBy(collectors, (one) => pathOf(one).source).values()];
  // More than two hanging requests would leave no socket for the other collectors.
  const [alone, sharing] = [byPath.filter((one) => one.length === 1).flat(), byPath.filter((one) => one.length > 1)];
  const pairs = [...pairsOf(alone, Math.floor(round / share)), ...sharing];
  const own = pairs.filter((_, at) => at % share === round % share);
  return [
    ...own.map((both, at) => {
      const sources = both.map((one) => pathOf(one).source);
      return faultCaseOf(`collectors-${at}`, { path: new RegExp(sources.join('|')), affectedCollectors: both });
    }),
    {
      ...faultCaseOf('echo', { path: /^\/restpp\/echo$/, affectedCollectors: [named('health')] }),
      gone: new Set<string>(),
      up: true,
    },
    faultCaseOf('whole', { path: /./, affectedCollectors: collectors }),
    faultCaseOf('pair', { path: /./, affectedCollectors: collectors.filter(({ scope }) => scope === 'node') }, 2),
    faultCaseOf('calm', { path: /^$/, affectedCollectors: [] }),
  ];
}

/** Returns all items in pairs, other pairs in each round; of an odd number, one is alone. */
function pairsOf<T>([first, ...others]: readonly T[], round: number): readonly (readonly T[])[] {
  const turn = round % Math.max(1, others.length);
  const seats = [first, ...others.slice(turn), ...others.slice(0, turn)].filter((one) => one !== undefined);
  const half = Math.ceil(seats.length / 2);
  return seats.slice(0, half).map((one, at) => {
    const other = seats.at(-1 - at);
    return other === undefined || other === one ? [one] : [one, other];
  });
}

/** Returns the case for a fault that reports an error in a good reply, which is the state of a statement. */
export function withReportedError(cell: FaultCase): FaultCase {
  const affectedCollectors = cell.affectedCollectors.filter(({ name }) => name !== 'statements');
  if (affectedCollectors.length === cell.affectedCollectors.length) return cell;
  return { ...faultCaseOf(cell.cluster, { path: cell.path, affectedCollectors }, cell.nodes), delayed: cell.delayed };
}

/** Returns the case for a fault that exhausts the timeout of a poll: heavy collectors do not retry on another node. */
export function withExhaustedTime(cell: FaultCase): FaultCase {
  const [heavy, others] = [cell.delayed.filter(isHeavy), cell.delayed.filter((one) => !isHeavy(one))];
  return { ...cell, affectedCollectors: [...cell.affectedCollectors, ...heavy], delayed: others };
}

function isHeavy({ defaults }: Collector): boolean {
  return defaults.schedule !== undefined;
}

/** Returns the targets that must fail. */
export function affectedTargets(cell: FaultCase): readonly CollectorTarget[] {
  return cell.affectedCollectors.map((one) => targetOf(cell, one));
}

/** Returns the targets that a hanging node may delay. */
export function delayedTargets(cell: FaultCase): readonly CollectorTarget[] {
  return cell.delayed.map((one) => targetOf(cell, one));
}

/** Returns the lists that must fail: the second is requested only after the first has timed out. */
export function affectedLists(cell: FaultCase): readonly CollectorTarget[] {
  return cell.affectedCollectors.filter(isList).map((one) => targetOf(cell, one));
}

function targetOf({ cluster, faultyNode }: FaultCase, { name, scope }: Collector): CollectorTarget {
  return { cluster, collector: name, node: scope === 'node' ? faultyNode : '' };
}

/** Returns the paths of a collector. */
export function pathOf({ name }: Pick<Collector, 'name'>): RegExp {
  const path = paths[name];
  if (path === undefined) throw new Error(`no path is known for '${name}'`);
  return path;
}

/** Returns a case in which some paths fail some collectors. */
export function faultCaseOf(
  cluster: string,
  { path, affectedCollectors }: Pick<FaultCase, 'path' | 'affectedCollectors'>,
  nodes = 1,
): FaultCase {
  const well = collectors.filter((one) => !affectedCollectors.includes(one));
  const standing = new Set(well.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
  const gauges = affectedCollectors.flatMap(({ metrics }) =>
    metrics.filter(({ keep }) => !keep).map(({ name }) => name),
  );
  const gone = new Set(
    gauges.filter((name) => !standing.has(name) && name !== 'graphdb_up' && name !== 'graphdb_reachable'),
  );
  const [passthroughGone, up] = [
    affectedCollectors.includes(named('metrics')),
    !affectedCollectors.includes(named('health')),
  ];
  const delayed = nodes > 1 ? well : [];
  return { cluster, nodes, faultyNode: 'm1', path, affectedCollectors, delayed, gone, passthroughGone, up };
}

function named(name: string): Collector {
  const found = collectors.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no collector '${name}'`);
  return found;
}
