import type { Config } from '../config/config.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Ownership, type ReplicaRegistration, selfCluster } from '../kernel/ownership.ts';
import type { Result } from '../kernel/result.ts';
import type { SerialQueue } from '../kernel/serial-queue.ts';
import type { Digest } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';

/** Wait after a failed restore of the state of clusters. */
const retryDelay: Millis = 1000;

/** What begins and ends with the ownership of a cluster. */
export interface OwnershipActions {
  /** Clusters of the configuration. */
  clusters(): readonly string[];
  /** Restores the stored state of clusters and starts to monitor them; an error is that the store cannot be read. */
  gain(clusters: ReadonlySet<string>): Promise<Result<void, string>>;
  /** Ends all effects of a cluster, and drops its state without an effect. */
  lose(cluster: string): Promise<void>;
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
  readonly #stopped = new AbortController();
  #isWaiting = false;

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

  /** Gives up clusters that left the configuration, whose incidents are closed. */
  async releaseRemoved(): Promise<void> {
    const configured = new Set([selfCluster, ...this.#actions.clusters()]);
    for (const cluster of this.#followed) {
      if (configured.has(cluster)) continue;
      this.#followed.delete(cluster);
      await this.#ports.ownership.release(cluster);
    }
  }

  /** Follows no further changes. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Several changes in one turn are followed together. */
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
    const lost = [...this.#followed].filter((cluster) => !ownership.owns(cluster));
    for (const cluster of lost) await this.#lose(cluster);
    // Given up or lost before it was restored: nothing of it is to be ended.
    const unused = [...ownership.unreleased()].filter((cluster) => !this.#followed.has(cluster));
    for (const cluster of unused) await ownership.release(cluster);
    const all = [selfCluster, ...this.#actions.clusters()];
    const gained = new Set(all.filter((cluster) => ownership.owns(cluster) && !this.#followed.has(cluster)));
    if (gained.size === 0 || this.#stopped.signal.aborted) return;
    const restored = await this.#actions.gain(gained);
    if (restored.ok) {
      for (const cluster of gained) this.#followed.add(cluster);
      return;
    }
    log.warn('state of gained clusters cannot be restored', { clusters: gained.size, error: restored.error });
    void clock.sleep(retryDelay, this.#stopped.signal).then(() => this.#followSoon());
  }

  async #lose(cluster: string): Promise<void> {
    this.#followed.delete(cluster);
    await this.#actions.lose(cluster);
    // Without a lease, this has no effect; a lease that is given up ends here.
    await this.#ports.ownership.release(cluster);
  }
}

/** Returns what the other replicas know of this one. Replicas with other clusters, or other nodes, have another hash. */
export function replicaRegistration(
  { clusters }: Pick<Config, 'clusters'>,
  about: Omit<ReplicaRegistration, 'clusters' | 'configHash'>,
  digest: Digest,
): ReplicaRegistration {
  const sorted = clusters.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const known = sorted.map(({ name, nodes, discover }) => [name, nodes.map(({ url }) => url), discover ?? null]);
  const configHash = digest.sha256(JSON.stringify(known)).slice(0, 16);
  return { ...about, clusters: [selfCluster, ...clusters.map(({ name }) => name)], configHash };
}
