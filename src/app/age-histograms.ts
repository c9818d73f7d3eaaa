import { entryOf } from '../collect/entry-of.ts';
import { inSeconds } from '../kernel/time.ts';
import { type Distribution, distribution, distributionSamples, exemplify, observe } from '../metric/distribution.ts';
import { histogram, type Metric, type Sample } from '../metric/metric.ts';
import type { ListedQuery } from '../model/query.ts';
import type { SpanPlace } from '../model/span.ts';
import { type EndedQuery, queryOutcomes } from '../trace/query-lives.ts';

/** From two intervals of the list up: what is over sooner is hardly ever seen. */
const bounds = [10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];
const [nameworthy = 0] = bounds;

/** Series of one name: for each outcome the buckets, the last one without bound, sum and count. */
export const seriesPerName = queryOutcomes.length * (bounds.length + 3);

/** What queries without a name of their own are counted under. */
const rest = { graph: '', query: 'other' };

const duration = histogram({
  name: 'graphdb_long_query_duration_seconds',
  help: 'Age of queries when they were last listed, counted when two lists in a row are without them; those that end between two lists are not seen. `query="other"`: never seen at ten seconds, or beyond the names that there is room for.',
  labels: ['node', 'graph', 'query', 'outcome'],
  source: 'GET /restpp/showprocesslistall or /restpp/showprocesslist/{graph}: elapsedTime, requestid, over time',
});

/** The families that lists tell over time. */
export const queryAgeMetrics: readonly Metric[] = [duration];

interface Named {
  readonly graph: string;
  readonly query: string;
  readonly told: Map<EndedQuery['outcome'], Distribution>;
}

/**
 * How old the queries of one node were when they ended. Clients write the names, and what a histogram has counted
 * stays: a name is given for good, to queries that run for long alone, and as far as there is room.
 */
export class AgeHistograms {
  readonly #node: string;
  readonly #named = new Map<string, Named>();
  #samples: readonly Sample[] | undefined = [];

  constructor(node: string) {
    this.#node = node;
  }

  /** Names given, without that of the rest. */
  get names(): number {
    return this.#named.size - (this.#named.has(keyOf(rest)) ? 1 : 0);
  }

  /** Begins with series for each outcome before the first query ends: an increase from nothing is none to Prometheus. */
  list(query: ListedQuery, hasRoom: () => boolean): void {
    const { age } = query;
    if (age !== undefined) this.#nameOf(query, () => inSeconds(age) >= nameworthy && hasRoom());
  }

  /** Takes a query that is over; `span` where its trace is kept. */
  count({ query, outcome, lastSeen }: EndedQuery, span: SpanPlace | undefined): void {
    if (query.age === undefined) return;
    const { told } = this.#nameOf(query, () => false);
    const value = inSeconds(query.age);
    const counted = observe(told.get(outcome) ?? distribution(bounds), value);
    told.set(outcome, span === undefined ? counted : exemplify(counted, { ...span, value, at: lastSeen.wall }));
    this.#samples = undefined;
  }

  /** The same array for as long as nothing ends and no name comes. */
  samples(): readonly Sample[] {
    this.#samples ??= [...samplesOf(this.#node, this.#named.values())];
    return this.#samples;
  }

  #nameOf({ graph, query, kind }: ListedQuery, isGiven: () => boolean): Named {
    const name = { graph, query: kind === 'installed' ? query : kind };
    const key = keyOf(name);
    const shown = this.#named.has(key) || isGiven() ? name : rest;
    return entryOf(this.#named, keyOf(shown), () => {
      this.#samples = undefined;
      return { ...shown, told: new Map(queryOutcomes.map((outcome) => [outcome, distribution(bounds)])) };
    });
  }
}

function keyOf({ graph, query }: Pick<Named, 'graph' | 'query'>): string {
  return JSON.stringify([graph, query]);
}

function* samplesOf(node: string, named: Iterable<Named>): Generator<Sample> {
  for (const { graph, query, told } of named) {
    for (const [outcome, ages] of told) yield* distributionSamples(duration, { node, graph, query, outcome }, ages);
  }
}
