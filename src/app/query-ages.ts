import { entryOf } from '../collect/entry-of.ts';
import { queries } from '../collect/queries.ts';
import type { Reading } from '../collect/runner.ts';
import { inSeconds, type Millis } from '../kernel/time.ts';
import { type Distribution, distribution, distributionSamples, observe } from '../metric/distribution.ts';
import { histogram, type Metric, type Sample } from '../metric/metric.ts';
import type { Feed } from './content.ts';

/** From two intervals of the list up: what is over sooner is hardly ever seen. */
const bounds = [10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];

/** Names of graphs come from urls, which clients write. */
const mostGraphs = 100;

const duration = histogram({
  name: 'graphdb_long_query_duration_seconds',
  help: 'Age of queries when they were last listed, counted when the list is without them; those that end between two lists are not seen.',
  labels: ['node', 'graph'],
  source: 'GET /restpp/showprocesslistall or /restpp/showprocesslist/{graph}: elapsedTime, requestid, over time',
});

/** The families that lists tell over time. */
export const queryAgeMetrics: readonly Metric[] = [duration];

interface NodeAges {
  readonly cluster: string;
  readonly node: string;
  /** Of the latest good list, by id. */
  listed: ReadonlyMap<string, Listed>;
  readonly ended: Map<string, Distribution>;
  /** The same array for as long as nothing ends. */
  samples: readonly Sample[];
}

interface Listed {
  readonly graph: string;
  readonly age: Millis;
}

/** How long queries ran that are listed no more. */
export class QueryAges {
  readonly #nodes = new Map<string, NodeAges>();

  /** Takes a reading that is on the page now; one that failed says nothing about what has ended. */
  taken({ cluster, node, of }: Feed, { result, ended }: Reading): void {
    if (of.name !== queries.name || of.listed === undefined || !result.ok) return;
    const ages = entryOf(this.#nodes, JSON.stringify([cluster, node]), () => {
      return { cluster, node, listed: new Map(), ended: new Map(), samples: [] };
    });
    const listed = new Map(
      of.listed(result.value, ended).flatMap(({ id, graph, age }) => {
        return age === undefined ? [] : [[id, { graph, age }] as const];
      }),
    );
    const over = [...ages.listed].filter(([id]) => !listed.has(id));
    ages.listed = listed;
    const known = ages.ended.size;
    for (const { graph } of listed.values()) begin(ages, graph);
    for (const [, { graph, age }] of over) count(ages, graph, age);
    if (over.length > 0 || ages.ended.size > known) ages.samples = [...samplesOf(ages)];
  }

  /** What the page shows of a cluster's nodes; those that are gone are forgotten. */
  samples(cluster: string, nodes: readonly string[]): readonly Sample[] {
    const own = [...this.#nodes].filter(([, ages]) => ages.cluster === cluster);
    for (const [key, { node }] of own) if (!nodes.includes(node)) this.#nodes.delete(key);
    return own.filter(([, { node }]) => nodes.includes(node)).flatMap(([, { samples }]) => samples);
  }
}

/** A series that is there before its first query ends: an increase from nothing is none to Prometheus. */
function begin({ ended }: NodeAges, name: string): void {
  const graph = shownAs(ended, name);
  if (!ended.has(graph)) ended.set(graph, distribution(bounds));
}

function count({ ended }: NodeAges, name: string, age: Millis): void {
  const graph = shownAs(ended, name);
  ended.set(graph, observe(ended.get(graph) ?? distribution(bounds), inSeconds(age)));
}

function shownAs(ended: ReadonlyMap<string, Distribution>, graph: string): string {
  return ended.has(graph) || ended.size < mostGraphs ? graph : '';
}

function* samplesOf({ node, ended }: NodeAges): Generator<Sample> {
  for (const [graph, told] of ended) yield* distributionSamples(duration, { node, graph }, told);
}
