import { entryOf } from '../collect/entry-of.ts';
import { queries } from '../collect/queries.ts';
import type { Reading } from '../collect/runner.ts';
import { inSeconds } from '../kernel/time.ts';
import { type Distribution, distribution, distributionSamples, exemplify, observe } from '../metric/distribution.ts';
import { histogram, type Metric, type Sample } from '../metric/metric.ts';
import type { ListedQuery } from '../model/query.ts';
import type { SpanPlace } from '../model/span.ts';
import {
  abandoned,
  type EndedQuery,
  listed,
  noLives,
  type QueryList,
  type QueryLives,
  queryOutcomes,
} from '../trace/query-lives.ts';
import type { Feed } from './content.ts';
import type { Pace } from './pipeline.ts';

/** From two intervals of the list up: what is over sooner is hardly ever seen. */
const bounds = [10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];

/** Names of graphs and queries come from urls, which clients write. */
const mostNames = 100;

const duration = histogram({
  name: 'graphdb_long_query_duration_seconds',
  help: 'Age of queries when they were last listed, counted when two lists in a row are without them; those that end between two lists are not seen.',
  labels: ['node', 'graph', 'query', 'outcome'],
  source: 'GET /restpp/showprocesslistall or /restpp/showprocesslist/{graph}: elapsedTime, requestid, over time',
});

/** The families that lists tell over time. */
export const queryAgeMetrics: readonly Metric[] = [duration];

/** Queries of one node that are over. */
export interface QueryEnds {
  readonly cluster: string;
  readonly node: string;
  readonly ended: readonly EndedQuery[];
}

/** Who knows of aborts, and who wants to know what is over. */
export interface QueryListeners {
  /** Which policy had a query aborted; `''`: an operator. Undefined where nobody had. */
  abortedBy(cluster: string, node: string): QueryList['abortedBy'];
  over(ends: QueryEnds): void;
  /** Where the span of a query is found; undefined where its trace is not kept. */
  spanOf(cluster: string, id: string): SpanPlace | undefined;
}

interface NodeAges {
  readonly cluster: string;
  readonly node: string;
  lives: QueryLives;
  /** By graph and query, each with its outcomes. */
  readonly ended: Map<string, NamedAges>;
  /** The same array for as long as nothing ends. */
  samples: readonly Sample[];
}

interface NamedAges {
  readonly graph: string;
  readonly query: string;
  readonly told: Map<EndedQuery['outcome'], Distribution>;
}

/** How long queries ran that are listed no more, and how they ended. */
export class QueryAges {
  readonly #nodes = new Map<string, NodeAges>();
  readonly #listeners: QueryListeners;

  constructor(listeners: QueryListeners) {
    this.#listeners = listeners;
  }

  /** Takes a reading that is on the page now; one that failed says nothing about what has ended. */
  taken({ cluster, node, of }: Feed, { result, ended: at }: Reading, { lifetime }: Pick<Pace, 'lifetime'>): void {
    if (of.name !== queries.name || of.listed === undefined || !result.ok) return;
    const ages = entryOf(this.#nodes, JSON.stringify([cluster, node]), () => {
      return { cluster, node, lives: noLives, ended: new Map(), samples: [] };
    });
    const abortedBy = this.#listeners.abortedBy(cluster, node);
    const list = { queries: of.listed(result.value, at), at, lifetime, abortedBy };
    const { lives, ended } = listed(ages.lives, list);
    ages.lives = lives;
    const known = ages.ended.size;
    for (const query of list.queries) if (query.age !== undefined) namedAs(ages, query);
    for (const one of ended) count(ages, one, this.#listeners.spanOf(cluster, one.query.id));
    if (ended.length > 0 || ages.ended.size > known) ages.samples = [...samplesOf(ages)];
    if (ended.length > 0) this.#listeners.over({ cluster, node, ended });
  }

  /** What the page shows of a cluster's nodes; those that are gone are forgotten. */
  samples(cluster: string, nodes: readonly string[]): readonly Sample[] {
    const own = [...this.#nodes].filter(([, ages]) => ages.cluster === cluster);
    for (const [key, { node, lives }] of own) {
      if (nodes.includes(node)) continue;
      this.#nodes.delete(key);
      this.#listeners.over({ cluster, node, ended: abandoned(lives) });
    }
    return own.filter(([, { node }]) => nodes.includes(node)).flatMap(([, { samples }]) => samples);
  }
}

/** With series for each outcome before the first query ends: an increase from nothing is none to Prometheus. */
function namedAs({ ended }: NodeAges, { graph, query, kind }: ListedQuery): NamedAges {
  const name = kind === 'installed' ? query : kind;
  const key = JSON.stringify([graph, name]);
  const isKnown = ended.has(key) || ended.size < mostNames;
  const shown = isKnown ? { graph, query: name } : { graph: '', query: '' };
  return entryOf(ended, isKnown ? key : '', () => {
    return { ...shown, told: new Map(queryOutcomes.map((outcome) => [outcome, distribution(bounds)])) };
  });
}

function count(ages: NodeAges, { query, outcome, lastSeen }: EndedQuery, span: SpanPlace | undefined): void {
  if (query.age === undefined) return;
  const { told } = namedAs(ages, query);
  const value = inSeconds(query.age);
  const counted = observe(told.get(outcome) ?? distribution(bounds), value);
  told.set(outcome, span === undefined ? counted : exemplify(counted, { ...span, value, at: lastSeen.wall }));
}

function* samplesOf({ node, ended }: NodeAges): Generator<Sample> {
  for (const { graph, query, told } of ended.values()) {
    for (const [outcome, ages] of told) yield* distributionSamples(duration, { node, graph, query, outcome }, ages);
  }
}
