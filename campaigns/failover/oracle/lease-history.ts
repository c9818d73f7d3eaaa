import type { LeaseChange } from '../evidence.ts';

/** Owner of a cluster at a time. */
export interface OwnerAt {
  readonly replica: number;
  /** When the replica got the lease, without interruption by another one. */
  readonly since: number;
}

/** Owners of each cluster over time, by the log of the database. */
export class LeaseHistory {
  readonly #changes = new Map<string, LeaseChange[]>();

  constructor(changes: readonly LeaseChange[]) {
    for (const change of changes.toSorted((one, other) => one.at - other.at)) {
      const known = this.#changes.get(change.cluster);
      if (known === undefined) this.#changes.set(change.cluster, [change]);
      else known.push(change);
    }
  }

  /** Returns the replica whose lease of a cluster lasts at a time; undefined if there is none. */
  ownerAt(cluster: string, at: number): OwnerAt | undefined {
    const changes = this.#changes.get(cluster) ?? [];
    const index = changes.findLastIndex((change) => change.at <= at);
    const latest = changes[index];
    if (latest === undefined || latest.owner === undefined || latest.expiresAt <= at) return undefined;
    const first = changes
      .slice(0, index + 1)
      .findLastIndex((one) => one.replica !== latest.replica || one.owner === undefined);
    return { replica: latest.replica, since: changes[first + 1]?.at ?? latest.at };
  }

  /** Returns the replica that owned a cluster last before a time. */
  latestOwner(cluster: string, at: number): number | undefined {
    return this.#changes.get(cluster)?.findLast((change) => change.at <= at && change.owner !== undefined)?.replica;
  }

  /** Returns true if another replica has the lease of a cluster at a time. */
  belongsToOther(cluster: string, replica: number, at: number): boolean {
    const owner = this.ownerAt(cluster, at);
    return owner !== undefined && owner.replica !== replica;
  }
}
