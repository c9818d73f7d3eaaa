import type { Instant, Millis } from '../../kernel/time.ts';

/** Length of a lease. The owner renews it at half of that time. */
export const leaseLength: Millis = 10_000;

/** A lease that the database granted or renewed. */
export interface GrantedLease {
  readonly cluster: string;
  readonly epoch: number;
}

interface HeldLease {
  readonly epoch: number;
  /** When the request was sent that the database answered with the lease. */
  readonly since: Instant;
  readonly isLeaving: boolean;
}

/** Result of a renewal. */
export interface RenewalResult {
  readonly lost: readonly string[];
}

/**
 * Leases of this process. A lease counts from before its request was sent, so it ends here before it ends in the database,
 * whatever the clocks of the two hosts show.
 */
export class HeldLeases {
  readonly #leases = new Map<string, HeldLease>();
  /** Clusters whose leases were lost, and whose effects may not have ended. */
  readonly #lost = new Set<string>();

  /** Clusters whose leases are held, including those that are being given up. */
  clusters(): ReadonlySet<string> {
    return new Set(this.#leases.keys());
  }

  leaving(): ReadonlySet<string> {
    return new Set([...this.#leases].filter(([, { isLeaving }]) => isLeaving).map(([cluster]) => cluster));
  }

  /** Clusters that are being given up or were lost, until they are removed. */
  unreleased(): ReadonlySet<string> {
    return new Set([...this.leaving(), ...this.#lost]);
  }

  /** Leases to renew. */
  granted(): readonly GrantedLease[] {
    return [...this.#leases].map(([cluster, { epoch }]) => ({ cluster, epoch }));
  }

  /** Epoch of a lease; undefined without a lease. */
  epochOf(cluster: string): number | undefined {
    return this.#leases.get(cluster)?.epoch;
  }

  /** Whether a cluster is to be monitored. */
  owns(cluster: string): boolean {
    const lease = this.#leases.get(cluster);
    return lease !== undefined && !lease.isLeaving;
  }

  /**
   * Returns the time for which a lease is certain to be valid. Both clocks count: the monotonic clock stops while the machine is
   * suspended, and the wall clock may be set back.
   */
  remaining(cluster: string, now: Instant): Millis {
    const lease = this.#leases.get(cluster);
    if (lease === undefined) return 0;
    const elapsed = Math.max(now.mono - lease.since.mono, now.wall - lease.since.wall);
    return Math.max(0, leaseLength - elapsed);
  }

  /** Records leases that the database granted in answer to a request that was sent at `sent`. */
  take(granted: readonly GrantedLease[], sent: Instant): void {
    for (const { cluster, epoch } of granted) this.#leases.set(cluster, { epoch, since: sent, isLeaving: false });
  }

  /** Holds leases again after their release failed; they are valid again when the database renews them. */
  keep(leases: readonly GrantedLease[]): void {
    const never = { mono: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
    for (const { cluster, epoch } of leases) {
      if (!this.#leases.has(cluster)) this.#leases.set(cluster, { epoch, since: never, isLeaving: false });
    }
  }

  /** Records the answer to a renewal of `leases` that was sent at `sent`. Leases that the database did not renew are lost. */
  renew(leases: readonly GrantedLease[], renewed: readonly GrantedLease[], sent: Instant): RenewalResult {
    const answered = new Map(renewed.map(({ cluster, epoch }) => [cluster, epoch]));
    const lost: string[] = [];
    for (const { cluster, epoch } of leases) {
      const lease = this.#leases.get(cluster);
      if (lease?.epoch !== epoch) continue;
      if (answered.get(cluster) === epoch) this.#leases.set(cluster, { ...lease, since: sent });
      else lost.push(cluster);
    }
    this.lose(lost);
    return { lost };
  }

  /** Marks leases that another replica took as lost. */
  lose(clusters: Iterable<string>): void {
    for (const cluster of clusters) {
      this.#leases.delete(cluster);
      this.#lost.add(cluster);
    }
  }

  /** Marks leases that are to be given up; returns those that were not marked before. */
  leave(clusters: Iterable<string>): readonly string[] {
    const marked: string[] = [];
    for (const cluster of clusters) {
      const lease = this.#leases.get(cluster);
      if (lease === undefined || lease.isLeaving) continue;
      this.#leases.set(cluster, { ...lease, isLeaving: true });
      marked.push(cluster);
    }
    return marked;
  }

  /** Removes a lease before its release is sent: from then on it may have another owner. A lost one can be taken again. */
  remove(cluster: string): GrantedLease | undefined {
    const lease = this.#leases.get(cluster);
    this.#leases.delete(cluster);
    this.#lost.delete(cluster);
    return lease && { cluster, epoch: lease.epoch };
  }
}
