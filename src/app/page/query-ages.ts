import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import { queries } from '../../collect/queries.ts';
import { type Instant, type Millis, toSeconds } from '../../kernel/time.ts';
import { FirstUse } from '../../metric/first-use.ts';
import {
  emptyHistogram,
  type HistogramState,
  histogramSamples,
  observe,
  withExemplar,
} from '../../metric/histogram-state.ts';
import { histogram, type Metric, type Sample } from '../../metric/metric.ts';
import type { ListedQuery } from '../../model/query.ts';
import type { LimitSettings } from '../../model/settings.ts';
import type { SpanReference } from '../../model/span.ts';
import {
  type EndedQuery,
  endAsLost,
  noTrackedQueries,
  type QueryEnds,
  type QueryList,
  queryOutcomes,
  type TrackedQueries,
  trackList,
} from '../../trace/query-tracking.ts';
import type { CollectorFeed } from '../poll/collector-feed.ts';
import type { PollTiming } from '../poll/poll-result-listener.ts';

/** Maximum number of names per node: graphs and queries come from URLs, which clients write. */
const maxNames = 100;

/** Part of the family's series limit that names may use; the rest is for nodes that appear later. */
const shareForNames = 0.75;

/** Lookups of aborts and spans, and consumer of ended queries. */
export interface QueryAgeListeners {
  /** Returns the policy that aborted a query; `''`: an operator. Undefined if it was not aborted. */
  abortedBy(cluster: string, node: string): QueryList['abortedBy'];
  onQueriesEnded(ends: QueryEnds): void;
  /** Returns the span of a query; undefined if its trace is not kept. */
  spanReference(cluster: string, id: string): SpanReference | undefined;
}

interface NodeAges {
  readonly node: string;
  lifecycles: TrackedQueries;
  /** Time for which the latest list is valid: longer if the next one is due later than configured. */
  lifetime: Millis;
  /** Monotonic time; undefined while the node exists. */
  goneSince: number | undefined;
  readonly histograms: AgeHistograms;
}

type ClusterAges = ReadonlyMap<string, NodeAges>;

/** Durations and outcomes of queries that are no longer listed. */
export class QueryAges {
  readonly #clusters = new Map<string, Map<string, NodeAges>>();
  readonly #listeners: QueryAgeListeners;
  #maxSeries: number;

  constructor(listeners: QueryAgeListeners, limits: Pick<LimitSettings, 'seriesPerFamily'>) {
    this.#listeners = listeners;
    this.#maxSeries = limits.seriesPerFamily;
  }

  /** Applies another series limit; names that already have series keep them. */
  setLimits({ seriesPerFamily }: Pick<LimitSettings, 'seriesPerFamily'>): void {
    this.#maxSeries = seriesPerFamily;
  }

  /** Processes a published poll result; a failed poll does not reveal which queries ended. */
  onPollResult(
    { cluster, node, definition, interval: configured }: CollectorFeed,
    { result, ended: at }: PollResult,
    { interval, lifetime }: PollTiming,
  ): void {
    if (definition.name !== queries.name || definition.listedQueries === undefined || !result.ok) return;
    const nodes = getOrCreate(this.#clusters, cluster, () => new Map<string, NodeAges>());
    const ages = getOrCreate(nodes, node, (): NodeAges => {
      return {
        node,
        lifecycles: noTrackedQueries,
        lifetime,
        goneSince: undefined,
        histograms: new AgeHistograms(node),
      };
    });
    const abortedBy = this.#listeners.abortedBy(cluster, node);
    const elsewhere = otherNodes(ages, nodes);
    const listed = definition.listedQueries(result.value, at);
    const list = { queries: listed, at, lifetime: ages.lifetime, abortedBy, elsewhere };
    const { tracked, ended } = trackList(ages.lifecycles, list);
    ages.lifecycles = tracked;
    ages.lifetime = lifetime + Math.max(0, interval - (configured ?? interval));
    for (const query of list.queries) ages.histograms.recordListed(query, () => this.#hasRoom(ages, nodes));
    for (const one of ended) ages.histograms.recordEnded(one, this.#listeners.spanReference(cluster, one.query.id));
    if (ended.length > 0) this.#listeners.onQueriesEnded({ cluster, node, ended });
  }

  /**
   * Yields the samples of a cluster by node. A removed node is forgotten when its last list expires, because a name
   * service may omit a node for a moment.
   */
  *samples(
    cluster: string,
    names: readonly string[],
    now: Instant,
  ): Generator<readonly [node: string, samples: readonly Sample[]]> {
    const { mono } = now;
    const nodes = this.#clusters.get(cluster) ?? new Map<string, NodeAges>();
    for (const ages of nodes.values()) {
      const goneSince = names.includes(ages.node) ? undefined : (ages.goneSince ?? mono);
      ages.goneSince = goneSince;
      if (goneSince === undefined) yield [ages.node, ages.histograms.samples(now)];
      else if (mono - goneSince >= ages.lifetime) this.#removeNode(cluster, nodes, ages);
    }
  }

  /** Forgets a cluster that another replica owns, without ending its queries: that replica continues to list them. */
  disown(cluster: string): void {
    this.#clusters.delete(cluster);
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    const nodes = this.#clusters.get(cluster) ?? new Map<string, NodeAges>();
    for (const ages of nodes.values()) this.#removeNode(cluster, nodes, ages);
    this.#clusters.delete(cluster);
  }

  #removeNode(cluster: string, nodes: Map<string, NodeAges>, ages: NodeAges): void {
    nodes.delete(ages.node);
    const ended = endAsLost(ages.lifecycles, otherNodes(ages, nodes));
    if (ended.length > 0) this.#listeners.onQueriesEnded({ cluster, node: ages.node, ended });
  }

  /** Returns whether one more name is within the limits. Each node has one additional name, for all other queries. */
  #hasRoom({ histograms }: NodeAges, nodes: ClusterAges): boolean {
    const all = [...nodes.values()];
    const most = Math.floor((this.#maxSeries * shareForNames) / seriesPerQueryName) - all.length;
    const given = all.reduce((sum, one) => sum + one.histograms.names, 0);
    return given < most && histograms.names < Math.min(maxNames, most / all.length);
  }
}

/**
 * Returns what the other nodes of a cluster know of a query: behind a proxy that distributes requests, several nodes list
 * it.
 */
function otherNodes(ages: NodeAges, nodes: ClusterAges): NonNullable<QueryList['elsewhere']> {
  return (id) => {
    let isReported = false;
    for (const one of nodes.values()) {
      if (one === ages) continue;
      if (one.lifecycles.open.has(id)) return 'open';
      isReported ||= one.lifecycles.reported.size > 0 && one.lifecycles.reported.has(id);
    }
    return isReported ? 'reported' : undefined;
  };
}

/** Bucket bounds in seconds. They start at two list intervals, because shorter queries are rarely listed. */
const bounds = [10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];
/** Age at which a query name gets its own series. */
const [minNamedAge = 0] = bounds;

/** Series per name: for each outcome the buckets, the last one without bound, sum and count. */
export const seriesPerQueryName = queryOutcomes.length * (bounds.length + 3);

/** Outcome of most queries. */
const usualOutcome = 'ended';

/** Name for queries without a name of their own. */
const otherQueries = { graph: '', query: 'other' };

const longQueryDuration = histogram({
  name: 'graphdb_long_query_duration_seconds',
  help: 'Age of the query in the last process list that contained it, at most one list interval less than its duration; queries that no list contains are not observed, and `query="other"` counts queries whose name was never listed with an age of at least ten seconds, or is beyond the limit of names.',
  labels: ['node', 'graph', 'query', 'outcome'],
  source: 'GET /restpp/showprocesslistall or /restpp/showprocesslist/{graph}: elapsedTime, requestid, over time',
});

/** Metric families derived from lists over time. */
export const queryAgeMetrics: readonly Metric[] = [longQueryDuration];

interface NamedHistogram {
  readonly graph: string;
  readonly query: string;
  /** The outcome `ended` from the start, the others from their first query on. */
  readonly ages: Map<EndedQuery['outcome'], HistogramState>;
  readonly firstUse: FirstUse<EndedQuery['outcome']>;
}

/**
 * Histograms of the ages of ended queries of one node. Clients write the names, and a histogram stays: a name is
 * assigned permanently, only to long-running queries, and within the limit.
 */
export class AgeHistograms {
  readonly #node: string;
  readonly #histograms = new Map<string, NamedHistogram>();
  #samples: { readonly at: number; readonly list: readonly Sample[] } | undefined;

  constructor(node: string) {
    this.#node = node;
  }

  /** Number of assigned names, excluding the name for other queries. */
  get names(): number {
    return this.#histograms.size - (this.#histograms.has(nameKey(otherQueries)) ? 1 : 0);
  }

  /** Creates the series of the usual outcome before the first query ends: Prometheus sees no increase in a new series. */
  recordListed(query: ListedQuery, hasRoom: () => boolean): void {
    const { age } = query;
    if (age !== undefined) this.#histogramFor(query, () => toSeconds(age) >= minNamedAge && hasRoom());
  }

  /** Records an ended query; `span` if its trace is kept. */
  recordEnded({ query, outcome, lastSeen }: EndedQuery, span: SpanReference | undefined): void {
    if (query.age === undefined) return;
    const { ages } = this.#histogramFor(query, () => false);
    const value = toSeconds(query.age);
    const counted = observe(ages.get(outcome) ?? emptyHistogram(bounds), value);
    ages.set(outcome, span === undefined ? counted : withExemplar(counted, { ...span, value, at: lastSeen.wall }));
    this.#samples = undefined;
  }

  /** Returns the same array until a query ends, a name is added, or a new series gets its value. */
  samples(now: Instant): readonly Sample[] {
    const shown = this.#samples;
    const uses = [...this.#histograms.values()].map(({ firstUse }) => firstUse);
    if (shown !== undefined && !uses.some((one) => one.settledBetween(shown.at, now.mono))) return shown.list;
    this.#samples = { at: now.mono, list: [...nodeSamples(this.#node, this.#histograms.values(), now)] };
    return this.#samples.list;
  }

  #histogramFor({ graph, query, kind }: ListedQuery, isGiven: () => boolean): NamedHistogram {
    const name = { graph, query: kind === 'installed' ? query : kind };
    const key = nameKey(name);
    const shown = this.#histograms.has(key) || isGiven() ? name : otherQueries;
    return getOrCreate(this.#histograms, nameKey(shown), () => {
      this.#samples = undefined;
      return { ...shown, ages: new Map([[usualOutcome, emptyHistogram(bounds)]]), firstUse: new FirstUse() };
    });
  }
}

function nameKey({ graph, query }: Pick<NamedHistogram, 'graph' | 'query'>): string {
  return JSON.stringify([graph, query]);
}

function* nodeSamples(node: string, named: Iterable<NamedHistogram>, now: Instant): Generator<Sample> {
  for (const { graph, query, ages: reported, firstUse } of named) {
    for (const [outcome, ages] of reported) {
      const isZero = outcome !== usualOutcome && firstUse.isZero(outcome, now);
      const labels = { node, graph, query, outcome };
      yield* histogramSamples(longQueryDuration, labels, isZero ? emptyHistogram(bounds) : ages);
    }
  }
}
