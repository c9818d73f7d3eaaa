import type { Config } from '../config/config.ts';
import { DistinctErrors } from '../kernel/distinct-errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Ownership, type ReplicaRegistration, selfCluster } from '../kernel/ownership.ts';
import type { Result } from '../kernel/result.ts';
import type { SerialQueue } from '../kernel/serial-queue.ts';
import type { Digest } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';

/** Wait after a failed restore of the state of clusters. */
const retryDelay: Millis = 1000;

/** Parts that start and stop with the ownership of a cluster. */
export interface OwnershipActions {
  /** Clusters of the configuration. */
  clusters(): readonly string[];
  /** Restores the stored state of clusters and starts to monitor them; an error is that the store cannot be read. */
  gain(clusters: ReadonlySet<string>): Promise<Result<void, string>>;
  /** Polls clusters until their stored state can be restored, without alerts and without the guard. */
  poll(clusters: ReadonlySet<string>): Promise<void>;
  /** Ends all effects of clusters, and drops their state without an effect. */
  lose(clusters: ReadonlySet<string>): Promise<void>;
}

/** Ports of an {@link OwnershipFollower}. */
export interface OwnershipFollowerPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ownership: Ownership;
  /** Actions on the monitored clusters, one after the other. */
  readonly queue: SerialQueue;
}

/** Lets this process monitor exactly the clusters that it owns. Without other replicas, those are all. */
export class OwnershipFollower {
  readonly #ports: OwnershipFollowerPorts;
  readonly #actions: OwnershipActions;
  readonly #followed = new Set<string>();
  /** Clusters that are polled although their state is not restored yet. */
  readonly #polled = new Set<string>();
  readonly #stopped = new AbortController();
  #isWaiting = false;
  readonly #errors = new DistinctErrors();

  constructor(ports: OwnershipFollowerPorts, actions: OwnershipActions) {
    this.#ports = ports;
    this.#actions = actions;
  }

  /** Whether this process monitors a cluster. */
  isFollowed(cluster: string): boolean {
    return !this.#ports.ownership.isShared || this.#followed.has(cluster);
  }

  /** Follows the changes of ownership from now on. */
  start(onSharedRowsChange: () => void): void {
    const { ownership } = this.#ports;
    if (ownership.isShared) ownership.subscribe({ onOwnershipChange: () => this.#followSoon(), onSharedRowsChange });
  }

  /** Gives up clusters that were removed from the configuration, after their incidents were closed. */
  async releaseRemoved(): Promise<void> {
    const configured = new Set([selfCluster, ...this.#actions.clusters()]);
    const removed = this.#started().filter((cluster) => !configured.has(cluster));
    this.#forget(removed);
    await this.#ports.ownership.release(removed);
  }

  /** Follows no further changes. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Follows several changes in one turn of the event loop together. */
  #followSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#ports.queue.run(() => {
      this.#isWaiting = false;
      return this.#follow();
    });
  }

  async #follow(): Promise<void> {
    const { ownership, clock, log } = this.#ports;
    if (this.#stopped.signal.aborted) return;
    const lost = new Set(this.#started().filter((cluster) => !ownership.owns(cluster)));
    if (lost.size > 0) await this.#lose(lost);
    // These were given up or lost before they were polled, so there is nothing to end.
    const started = new Set(this.#started());
    const unused = [...ownership.unreleased()].filter((cluster) => !started.has(cluster));
    if (unused.length > 0) await ownership.release(unused);
    const all = [selfCluster, ...this.#actions.clusters()];
    const gained = new Set(all.filter((cluster) => ownership.owns(cluster) && !this.#followed.has(cluster)));
    if (gained.size === 0 || this.#stopped.signal.aborted) return;
    const restored = await this.#actions.gain(gained);
    if (restored.ok) {
      this.#errors.clear();
      this.#forget(gained);
      for (const cluster of gained) this.#followed.add(cluster);
      return;
    }
    const { error } = restored;
    if (this.#errors.isNew(error)) log.warn('cluster state restore failed', { clusters: gained.size, error });
    await this.#pollOnly([...gained].filter((cluster) => !this.#polled.has(cluster)));
    void clock.sleep(retryDelay, this.#stopped.signal).then(() => this.#followSoon());
  }

  /** No other replica polls a cluster whose lease this one has, and the database may be away for long. */
  async #pollOnly(clusters: readonly string[]): Promise<void> {
    if (clusters.length === 0 || this.#stopped.signal.aborted) return;
    for (const cluster of clusters) this.#polled.add(cluster);
    await this.#actions.poll(new Set(clusters));
  }

  #started(): readonly string[] {
    return [...this.#followed, ...this.#polled];
  }

  #forget(clusters: Iterable<string>): void {
    for (const cluster of clusters) {
      this.#followed.delete(cluster);
      this.#polled.delete(cluster);
    }
  }

  async #lose(clusters: ReadonlySet<string>): Promise<void> {
    this.#forget(clusters);
    await this.#actions.lose(clusters);
    // Without a lease, this has no effect; a lease that is given up ends here.
    await this.#ports.ownership.release(clusters);
  }
}

/** Parts of the configuration that the replicas of one database are to share. */
export type SharedConfig = Pick<
  Config,
  'clusters' | 'guard' | 'alerts' | 'collectors' | 'custom' | 'probes' | 'tracker' | 'scope'
>;

/** Returns what the other replicas know of this one. Replicas with other clusters, or other nodes, have another hash. */
export function replicaRegistration(
  { clusters, ...settings }: SharedConfig,
  about: Omit<ReplicaRegistration, 'clusters' | 'configHash' | 'settingsHash'>,
  digest: Digest,
): ReplicaRegistration {
  const sorted = clusters.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const known = sorted.map(({ name, nodes, discover }) => [name, nodes.map(({ url }) => url), discover ?? null]);
  const hashOf = (value: unknown): string => digest.sha256(JSON.stringify(value)).slice(0, 16);
  const names = [selfCluster, ...clusters.map(({ name }) => name)];
  return { ...about, clusters: names, configHash: hashOf(known), settingsHash: hashOf(sharedSettings(settings)) };
}

/** Settings of the receivers are missing: the paths of their secrets may differ between hosts. */
function sharedSettings({ guard, alerts, collectors, custom, probes, tracker, scope }: Omit<SharedConfig, 'clusters'>) {
  const { receivers, ...rules } = alerts;
  return [guard, rules, receivers.map(({ name }) => name), collectors, custom, probes, tracker, scope];
}
