import { delayedQueries } from '../collect/delayed-queries.ts';
import { queries } from '../collect/queries.ts';
import type { Reading } from '../collect/runner.ts';
import type { Config } from '../config/config.ts';
import type { HeardList } from '../graphdb/overheard.ts';
import type { Pressure } from '../guard/gates.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import { ClusterSight, type SightSettings } from './cluster-sight.ts';
import type { Feed } from './content.ts';
import { enforcing } from './guard-notice.ts';
import type { Pace } from './pipeline.ts';
import { type QueryVerdict, verdictOn } from './query-verdict.ts';
import { same } from './same.ts';

/** What of the configuration the guard goes by. */
export type GuardedConfig = Pick<Config, 'guard' | 'clusters' | 'collectors'>;

/** Knows which policy means which query. It looks on and tells: this version has no way to abort anything. */
export class GuardWatch {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #sights = new Map<string, { readonly settings: SightSettings; readonly sight: ClusterSight }>();
  #warnedOf: readonly string[] = [];

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Looks at these clusters from now on, by these policies. */
  follow({ guard, clusters, collectors }: GuardedConfig): void {
    const staleAfter = collectors[queries.name]?.staleAfter ?? queries.defaults.every;
    for (const { name, nodes } of clusters) {
      const told = nodes.flatMap(({ name: node, instance }) => (instance === undefined ? [] : [[node, instance]]));
      this.#look({ cluster: name, guard, instances: Object.fromEntries(told), staleAfter });
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

  /** Takes a reading that is on the page now: queues press, and gates may wait for that. */
  taken({ cluster, node, of }: Feed, { result, ended }: Reading, { interval }: Pace): void {
    if (of.name !== delayedQueries.name) return;
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

  /** Tells what the policies of a cluster say of its listed queries, as of now. */
  verdicts(cluster: string): QueryVerdict {
    const settings = this.#sights.get(cluster)?.settings;
    const sight = this.sight(cluster);
    if (settings === undefined || sight === undefined) return verdictOn(undefined);
    return verdictOn({ sight, protect: settings.guard.protect, now: this.#clock.now() });
  }

  #look(settings: SightSettings): void {
    const { cluster } = settings;
    const known = this.#sights.get(cluster);
    if (known !== undefined && same(known.settings, settings)) return;
    const sight = known?.sight ?? new ClusterSight(settings);
    if (known !== undefined) sight.become(settings);
    this.#sights.set(cluster, { settings, sight });
  }

  #warn(policies: readonly string[]): void {
    if (policies.length > 0 && !same(policies, this.#warnedOf)) {
      this.#log.warn('policies of the guard that say enforce are observed: this version aborts nothing', { policies });
    }
    this.#warnedOf = policies;
  }
}
