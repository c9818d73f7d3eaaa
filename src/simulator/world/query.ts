import type { Random } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import { logNormal } from '../seeded-random.ts';

/** Query that a client requests. */
export interface QuerySpec {
  /** URL with parameters, as in process lists. */
  readonly url: string;
  /** Endpoint as in the statistics: `GET /query/fraud/ring_scan`. */
  readonly endpoint: string;
  /** Graph; `''` if the URL names none. */
  readonly graph: string;
  /** Name of an installed query; `''` for other requests. */
  readonly name: string;
  readonly queue: QueueName;
  /** Run time without the time in the queue. */
  readonly runsFor: Millis;
  /** Granted timeout; time in the queue does not count. */
  readonly timeout: Millis;
  /** Whether the query was started with `GSQL-ASYNC`, so that its result is retained. */
  readonly detached: boolean;
  /** Whether the query keeps running although the server reports it as aborted. */
  readonly outlivesAborts?: boolean;
}

/** Names of the workload queues of each engine. */
export const queueNames = ['OLTP', 'AdHoc'] as const;

/** One of {@link queueNames}. */
export type QueueName = (typeof queueNames)[number];

/** State of a query, as in the server's detached mode; `delayed` is an addition. */
export type SimulatedQueryState = 'delayed' | 'running' | 'success' | 'timeout' | 'aborted';

/** Query that a node accepted. Times are ms since the epoch. The id contains the arrival by the node's clock. */
export interface SimulatedQuery extends QuerySpec {
  readonly requestId: string;
  readonly arrivedAt: number;
  /** Undefined while delayed. */
  readonly startedAt: number | undefined;
  /** Undefined until it ended. */
  readonly endedAt: number | undefined;
  readonly state: SimulatedQueryState;
}

/** Returns when a running query ends by completion or timeout; `Infinity` while it is delayed. */
export function endsAt(query: SimulatedQuery): number {
  if (query.startedAt === undefined) return Number.POSITIVE_INFINITY;
  return query.startedAt + Math.min(query.runsFor, query.timeout);
}

/** Default timeout of queries. */
export const defaultTimeout: Millis = 16_000;

/** Kind of query that clients run. */
interface QueryKind {
  readonly name: string;
  readonly form: 'installed' | 'interpreted' | 'builtin';
  /** Relative frequency. */
  readonly weight: number;
  readonly typical: Millis;
  /** Spread of the logarithm of its run time. */
  readonly spread: number;
  readonly timeout: Millis;
  /** Returns a query string with user data, which must not become a label. */
  readonly parameters: (random: Random) => string;
}

const queryKinds: readonly QueryKind[] = [
  queryKind('account_history', { weight: 30, typical: 40, parameters: (random) => `account=a-${randomId(random)}` }),
  queryKind('risk_score', {
    weight: 24,
    typical: 90,
    parameters: (random) => `account=a-${randomId(random)}&explain=false`,
  }),
  queryKind('recommend_friends', {
    weight: 14,
    typical: 220,
    parameters: (random) => `person=p-${randomId(random)}&limit=20`,
  }),
  queryKind('shortest_route', {
    weight: 8,
    typical: 450,
    parameters: (random) => `from=${randomId(random)}&to=${randomId(random)}`,
  }),
  queryKind('ring_scan', {
    weight: 5,
    typical: 2_400,
    spread: 0.9,
    parameters: (random) => `depth=4&seed=a-${randomId(random)}`,
  }),
  queryKind('community_of', {
    weight: 2,
    typical: 6_000,
    spread: 0.8,
    parameters: (random) => `person=p-${randomId(random)}`,
  }),
  queryKind('pagerank', {
    weight: 1,
    typical: 25_000,
    timeout: 120_000,
    parameters: () => 'damping=0.85&iterations=30',
  }),
  queryKind('vertex', { form: 'builtin', weight: 14, typical: 4, parameters: () => 'select=name' }),
  queryKind('interpreted', {
    form: 'interpreted',
    weight: 2,
    typical: 3_000,
    parameters: (random) => `person=${randomId(random)}`,
  }),
];

const totalWeight = queryKinds.reduce((sum, { weight }) => sum + weight, 0);

/** Names of the installed queries, the same on every graph. */
export const installedQueries: readonly string[] = queryKinds
  .filter(({ form }) => form === 'installed')
  .map(({ name }) => name);

/** Returns a random query; `slowness` multiplies its run time. */
export function randomQuery(graphs: readonly string[], slowness: number, random: Random): QuerySpec {
  const graph = graphs[Math.floor(random.next() * graphs.length)] ?? '';
  const { form, name, timeout, typical, spread, parameters } = randomKind(random);
  return {
    ...addressed(form, { graph, name, parameters: parameters(random), vertex: randomId(random) }),
    runsFor: Math.max(1, Math.round(typical * slowness * logNormal(random, spread))),
    timeout,
    detached: false,
  };
}

/** Returns an installed query with the given properties. */
export function installedQuery(properties: {
  readonly graph: string;
  readonly query: string;
  readonly parameters: string;
  readonly runsFor: Millis;
  readonly timeout: Millis;
  readonly detached: boolean;
}): QuerySpec {
  const { graph, query, parameters, ...rest } = properties;
  return { ...addressed('installed', { graph, name: query, parameters, vertex: '' }), ...rest };
}

function addressed(
  form: QueryKind['form'],
  { graph, name, parameters, vertex }: { graph: string; name: string; parameters: string; vertex: string },
): Pick<QuerySpec, 'url' | 'endpoint' | 'graph' | 'name' | 'queue'> {
  const tail = parameters === '' ? '' : `?${parameters}`;
  if (form === 'interpreted') {
    const path = '/gsqlserver/interpreted_query';
    return { url: `${path}${tail}`, endpoint: `POST ${path}`, graph: '', name: '', queue: 'AdHoc' };
  }
  const queue: QueueName = 'OLTP';
  if (form === 'builtin') {
    const endpoint = 'GET /graph/{graph_name}/vertices/{vertex_type}/{vertex_id}';
    return { url: `/graph/${graph}/vertices/Person/p-${vertex}${tail}`, endpoint, graph, name: '', queue };
  }
  const path = `/query/${graph}/${name}`;
  return { url: `${path}${tail}`, endpoint: `GET ${path}`, graph, name, queue };
}

function queryKind(
  name: string,
  more: Partial<QueryKind> & Pick<QueryKind, 'weight' | 'typical' | 'parameters'>,
): QueryKind {
  return { name, form: 'installed', spread: 0.6, timeout: defaultTimeout, ...more };
}

function randomKind(random: Random): QueryKind {
  let left = random.next() * totalWeight;
  const drawn = queryKinds.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return drawn ?? queryKind('account_history', { weight: 0, typical: 40, parameters: () => '' });
}

function randomId(random: Random): string {
  return String(10_000 + Math.floor(random.next() * 90_000));
}
