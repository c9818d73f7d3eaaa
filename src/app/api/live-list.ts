import type { MissingClusters, Schema } from '../../api/fields.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { type KnownValues, unknownValue } from './known-values.ts';
import type { LiveAnswers, OtherReplicas } from './other-replicas.ts';
import { filterItems, pagedReply, pageOf, parsePage } from './paging.ts';
import { jsonReply, problemReply } from './reply.ts';

/** List of the present state, whose items the replica has that owns their cluster. */
export interface LiveList<Item> {
  readonly path: string;
  readonly item: Schema<Item>;
  /** Items of the clusters that this replica owns. */
  readonly items: readonly Item[];
  /** The filter `cluster`, or without it `name`, is the cluster of an item. */
  readonly filters: Readonly<Record<string, (item: Item) => string>>;
  readonly known?: KnownValues | undefined;
  /** Order of the items; absent: the clusters in the order of the configuration. */
  readonly compare?: (one: Item, other: Item) => number;
  /** Whether the list has items about graphwarden itself, whose cluster is empty. */
  readonly hasSelf?: true;
}

/** Items of all clusters, as far as their owners answered. */
export interface LiveItems<Item> {
  readonly items: readonly Item[];
  readonly missing: readonly MissingClusters[];
  /** Why the request is rejected if no item is found: a filter has a value that no replica knows. */
  readonly problem: string | undefined;
}

type ListRequest = Pick<IncomingRequest, 'query' | 'replica'>;

/**
 * Answers the request for a live list. The items of other replicas are added before the filters, the order and the paging;
 * `replicas` is absent if no other replica owns clusters.
 */
export async function liveReply<Item>(
  replicas: OtherReplicas | undefined,
  request: ListRequest,
  list: LiveList<Item>,
): Promise<OutgoingReply> {
  const { query, replica } = request;
  if (replicas?.isShared !== true) return pagedReply(list.items, query, list.filters, list.known);
  const page = parsePage(query);
  if (!page.ok) return problemReply(400, page.error);
  if (replica !== undefined) return ownReply(replicas, query, list);
  const found = await liveItems(replicas, query, list);
  if (!found.ok) return problemReply(400, found.error);
  const { items, missing, problem } = found.value;
  if (problem !== undefined) return problemReply(400, problem);
  return jsonReply({ ...pageOf(items, page.value), ...(missing.length > 0 && { missing }) });
}

/** Returns the items of all clusters that the filters of a query match; the error is that a filter does not exist. */
export async function liveItems<Item>(
  replicas: OtherReplicas | undefined,
  query: URLSearchParams,
  list: LiveList<Item>,
): Promise<Result<LiveItems<Item>, string>> {
  const { filters, known = {} } = list;
  const own = filterItems(list.items, query, filters);
  if (!own.ok) return own;
  const ownProblem = own.value.length === 0 ? unknownValue(query, known) : undefined;
  if (replicas?.isShared !== true) return ok({ items: own.value, missing: [], problem: ownProblem });
  const clusterOf = filters.cluster ?? filters.name ?? (() => '');
  const { answers, missing } = await replicas.gather({
    ...list,
    path: livePath(list.path, query),
    cluster: clusterFilter(query, list),
  });
  const others = itemsOf(answers, clusterOf);
  const byCluster = (one: Item, other: Item) => replicas.compareClusters(clusterOf(one), clusterOf(other));
  const items = others.length === 0 ? own.value : [...own.value, ...others].toSorted(list.compare ?? byCluster);
  if (items.length > 0 || missing.length > 0) return ok({ items, missing, problem: undefined });
  // A value is known if one of the replicas with data knows it.
  const problems = answers.map(({ problem }) => problem);
  const isAsked = problems.length > 0;
  const all = isAsked && replicas.followed().length === 0 ? problems : [ownProblem, ...problems];
  return ok({ items, missing, problem: all.includes(undefined) ? undefined : all[0] });
}

/** Returns the items of the clusters for which each answer counts. */
export function itemsOf<Item>(
  answers: LiveAnswers<Item>['answers'],
  clusterOf: (item: Item) => string,
): readonly Item[] {
  return answers.flatMap(({ items, clusters }) => items.filter((item) => clusters.has(clusterOf(item))));
}

/** Answers another replica with all items that match, whatever its paging. */
function ownReply<Item>(
  replicas: OtherReplicas,
  query: URLSearchParams,
  { items, filters, known = {} }: LiveList<Item>,
): OutgoingReply {
  const found = filterItems(items, query, filters);
  if (!found.ok) return problemReply(400, found.error);
  const problem = found.value.length === 0 ? unknownValue(query, known) : undefined;
  return jsonReply({ clusters: replicas.followed(), items: found.value, ...(problem !== undefined && { problem }) });
}

function clusterFilter<Item>(query: URLSearchParams, { filters }: LiveList<Item>): string | undefined {
  return query.get(filters.cluster === undefined ? 'name' : 'cluster') ?? undefined;
}

/** Returns the path of a request for live data. Equal filters in another order share an answer. */
export function livePath(path: string, query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => name !== 'limit' && name !== 'offset');
  const text = new URLSearchParams(filters.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString();
  return text === '' ? path : `${path}?${text}`;
}
