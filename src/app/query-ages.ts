import { entryOf } from '../collect/entry-of.ts';
import { queries } from '../collect/queries.ts';
import type { Reading } from '../collect/runner.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { LimitSettings } from '../model/settings.ts';
import type { SpanPlace } from '../model/span.ts';
import { abandoned, type EndedQuery, listed, noLives, type QueryList, type QueryLives } from '../trace/query-lives.ts';
import { AgeHistograms, seriesPerName } from './age-histograms.ts';
import type { Feed } from './content.ts';
import type { Pace } from './pipeline.ts';

/** Names of graphs and queries come from urls, which clients write. */
const mostNames = 100;

/** Of the series that their family may have; nodes that come later want some too. */
const shareForNames = 0.75;

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
  readonly node: string;
  lives: QueryLives;
  lifetime: Millis;
  /** By monotonic time; undefined while the node is there. */
  goneSince: number | undefined;
  readonly histograms: AgeHistograms;
}

type ClusterAges = ReadonlyMap<string, NodeAges>;

/** How long queries ran that are listed no more, and how they ended. */
export class QueryAges {
  readonly #clusters = new Map<string, Map<string, NodeAges>>();
  readonly #listeners: QueryListeners;
  #mostSeries: number;

  constructor(listeners: QueryListeners, limits: Pick<LimitSettings, 'seriesPerFamily'>) {
    this.#listeners = listeners;
    this.#mostSeries = limits.seriesPerFamily;
  }

  /** Gives no more names than there is room for from now on; names that were given stay. */
  bound({ seriesPerFamily }: Pick<LimitSettings, 'seriesPerFamily'>): void {
    this.#mostSeries = seriesPerFamily;
  }

  /** Takes a reading that is on the page now; one that failed says nothing about what has ended. */
  taken({ cluster, node, of }: Feed, { result, ended: at }: Reading, { lifetime }: Pick<Pace, 'lifetime'>): void {
    if (of.name !== queries.name || of.listed === undefined || !result.ok) return;
    const nodes = entryOf(this.#clusters, cluster, () => new Map<string, NodeAges>());
    const ages = entryOf(nodes, node, (): NodeAges => {
      return { node, lives: noLives, lifetime, goneSince: undefined, histograms: new AgeHistograms(node) };
    });
    const abortedBy = this.#listeners.abortedBy(cluster, node);
    const elsewhere = othersThan(ages, nodes);
    const list = { queries: of.listed(result.value, at), at, lifetime, abortedBy, elsewhere };
    const { lives, ended } = listed(ages.lives, list);
    ages.lives = lives;
    ages.lifetime = lifetime;
    for (const query of list.queries) ages.histograms.list(query, () => this.#hasRoom(ages));
    for (const one of ended) ages.histograms.count(one, this.#listeners.spanOf(cluster, one.query.id));
    if (ended.length > 0) this.#listeners.over({ cluster, node, ended });
  }

  /**
   * What the page shows of a cluster, by node. A node that is gone is forgotten when its last list is believed no
   * longer: a name service may leave out who is there again in a moment.
   */
  *samples(
    cluster: string,
    names: readonly string[],
    { mono }: Instant,
  ): Generator<readonly [node: string, samples: readonly Sample[]]> {
    const nodes = this.#clusters.get(cluster) ?? new Map<string, NodeAges>();
    for (const ages of nodes.values()) {
      const goneSince = names.includes(ages.node) ? undefined : (ages.goneSince ?? mono);
      ages.goneSince = goneSince;
      if (goneSince === undefined) yield [ages.node, ages.histograms.samples()];
      else if (mono - goneSince >= ages.lifetime) this.#drop(cluster, nodes, ages);
    }
  }

  /** A cluster is watched no more. */
  forget(cluster: string): void {
    const nodes = this.#clusters.get(cluster) ?? new Map<string, NodeAges>();
    for (const ages of nodes.values()) this.#drop(cluster, nodes, ages);
    this.#clusters.delete(cluster);
  }

  #drop(cluster: string, nodes: Map<string, NodeAges>, ages: NodeAges): void {
    nodes.delete(ages.node);
    const ended = abandoned(ages.lives, othersThan(ages, nodes));
    if (ended.length > 0) this.#listeners.over({ cluster, node: ages.node, ended });
  }

  /** Each node has one name more, for the rest. */
  #hasRoom({ histograms }: NodeAges): boolean {
    const all = [...this.#clusters.values()].flatMap((nodes) => [...nodes.values()]);
    const most = Math.floor((this.#mostSeries * shareForNames) / seriesPerName) - all.length;
    const given = all.reduce((sum, one) => sum + one.histograms.names, 0);
    return given < most && histograms.names < Math.min(mostNames, most / all.length);
  }
}

/** What the other nodes of a cluster know of a query: behind a proxy that shuffles them, several list it. */
function othersThan(ages: NodeAges, nodes: ClusterAges): NonNullable<QueryList['elsewhere']> {
  const others = [...nodes.values()].filter((one) => one !== ages);
  return (id) => {
    if (others.some(({ lives }) => lives.open.has(id))) return 'open';
    return others.some(({ lives }) => lives.told.has(id)) ? 'told' : undefined;
  };
}
