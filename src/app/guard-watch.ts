import { delayedQueries } from '../collect/delayed-queries.ts';
import { queries } from '../collect/queries.ts';
import type { Reading } from '../collect/runner.ts';
import type { Config } from '../config/config.ts';
import type { HeardList } from '../graphdb/overheard.ts';
import type { Pressure } from '../guard/gates.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { GuardView } from '../model/guard.ts';
import type { Fact, SelfSituation } from '../model/situation.ts';
import { ClusterSight, type SightSettings } from './cluster-sight.ts';
import type { Feed } from './content.ts';
import { enforcing } from './guard-notice.ts';
import { hostPressures, tellsOfHosts } from './host-pressure.ts';
import type { Pace } from './pipeline.ts';
import { type QueryVerdict, verdictOn } from './query-verdict.ts';
import { same } from './same.ts';

/** What of the configuration the guard goes by. */
export type GuardedConfig = Pick<Config, 'guard' | 'clusters' | 'collectors'>;

/** What the guard looks on with. */
export interface GuardContext {
  readonly clock: Clock;
  readonly log: Logger;
  /** What a cluster shows of a family at present. */
  readonly facts: (cluster: string, family: string) => readonly Fact[];
}

interface Watched {
  readonly settings: SightSettings;
  readonly sight: ClusterSight;
  /** The names that the server uses for the hosts of nodes, as far as they are configured. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** Knows which policy means which query. It looks on and tells: this version has no way to abort anything. */
export class GuardWatch {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #facts: GuardContext['facts'];
  readonly #sights = new Map<string, Watched>();
  #warnedOf: readonly string[] = [];

  constructor({ clock, log, facts }: GuardContext) {
    this.#clock = clock;
    this.#log = log;
    this.#facts = facts;
  }

  /** Looks at these clusters from now on, by these policies. */
  follow({ guard, clusters, collectors }: GuardedConfig): void {
    const staleAfter = collectors[queries.name]?.staleAfter ?? queries.defaults.every;
    for (const { name, nodes } of clusters) {
      const told = nodes.flatMap(({ name: node, instance }) => (instance === undefined ? [] : [[node, instance]]));
      const hosts = nodes.flatMap(({ name: node, hostId }) => (hostId === undefined ? [] : [[node, hostId] as const]));
      this.#look({ cluster: name, guard, instances: Object.fromEntries(told), staleAfter }, new Map(hosts));
    }
    for (const name of this.#sights.keys()) {
      if (clusters.every((cluster) => cluster.name !== name)) this.#sights.delete(name);
    }
    this.#warn(enforcing(guard));
  }

  /** Takes what a node answered to the question what runs. */
  heard(list: HeardList): void {
    this.#sights.get(list.cluster)?.sight.heard(list);
  }

  /** Takes a reading that is on the page now: gates wait for what presses. */
  taken(feed: Feed, reading: Reading, pace: Pace): void {
    if (feed.of.name === delayedQueries.name) this.#pressByQueue(feed, reading, pace);
    else if (tellsOfHosts(feed.of)) this.#pressByHosts(feed, reading, pace);
  }

  #pressByHosts({ cluster }: Feed, { ended }: Reading, { interval }: Pace): void {
    const { sight, hosts = new Map<string, string>() } = this.#sights.get(cluster) ?? {};
    for (const [node, host] of hosts) {
      for (const [source, value] of hostPressures((family) => this.#facts(cluster, family), host)) {
        sight?.pressed({ node, source, value, at: ended.mono, interval });
      }
    }
  }

  #pressByQueue({ cluster, node, of }: Feed, { result, ended }: Reading, { interval }: Pace): void {
    const waiting = result.ok ? (of.listed?.(result.value, ended) ?? []) : undefined;
    const oldest = waiting?.reduce((most, { age = 0 }) => Math.max(most, age), 0);
    const press = (source: Pressure['source'], value: number | undefined): void =>
      this.#sights.get(cluster)?.sight.pressed({ node, source, value, at: ended.mono, interval });
    press('queue_depth', waiting?.length);
    press('queue_oldest', oldest);
  }

  /** A slow tick: what time alone decides. */
  beat(now: Instant): void {
    for (const { sight } of this.#sights.values()) sight.beat(now);
  }

  /** What is known of a cluster; undefined where no policy concerns it. */
  sight(cluster: string): ClusterSight | undefined {
    const sight = this.#sights.get(cluster)?.sight;
    return sight === undefined || sight.policies.length === 0 ? undefined : sight;
  }

  /** What rules may know of the guard of a cluster; undefined where no policy concerns it. */
  view(_cluster: string): GuardView | undefined {
    return undefined;
  }

  /** Since when it holds still, and why; undefined where it does not, and where nothing is to be enforced. */
  held(): SelfSituation['guardPaused'] {
    return undefined;
  }

  /** Tells what the policies of a cluster say of its listed queries, as of now. */
  verdicts(cluster: string): QueryVerdict {
    const settings = this.#sights.get(cluster)?.settings;
    const sight = this.sight(cluster);
    if (settings === undefined || sight === undefined) return verdictOn(undefined);
    return verdictOn({ sight, protect: settings.guard.protect, now: this.#clock.now() });
  }

  #look(settings: SightSettings, hosts: Watched['hosts']): void {
    const { cluster } = settings;
    const known = this.#sights.get(cluster);
    const sight = known?.sight ?? new ClusterSight(settings);
    if (known !== undefined && !same(known.settings, settings)) sight.become(settings);
    this.#sights.set(cluster, { settings, sight, hosts });
  }

  #warn(policies: readonly string[]): void {
    if (policies.length > 0 && !same(policies, this.#warnedOf)) {
      this.#log.warn('policies of the guard that say enforce are observed: this version aborts nothing', { policies });
    }
    this.#warnedOf = policies;
  }
}
