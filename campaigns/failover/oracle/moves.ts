import { selfCluster } from '../../../src/kernel/ownership.ts';
import type { Evidence, InjectedFault, LeaseChange } from '../evidence.ts';

/** A cluster that got another owner. */
export interface Move {
  readonly cluster: string;
  readonly at: number;
  /**
   * `takeover`: the lease had ended; `handover`: the owner received SIGTERM and released it; `balance`: the owner gave it to a
   * replica with fewer clusters.
   */
  readonly kind: 'takeover' | 'handover' | 'balance';
  /** Fault that caused a takeover or a handover; undefined if none was injected then. */
  readonly fault: InjectedFault | undefined;
}

/** Time after a fault in which its last effects on leases show, in lengths of a lease. */
const aftermath = 1.5;

/** Returns the clusters that got another owner, by the log of the database, without the lease for graphwarden itself. */
export function movesOf({ leases, faults, lease }: Pick<Evidence, 'leases' | 'faults' | 'lease'>): readonly Move[] {
  const latest = new Map<string, { owned: LeaseChange; releasedAt: number | undefined }>();
  const moves: Move[] = [];
  for (const change of leases.toSorted((one, other) => one.at - other.at)) {
    const { cluster, at, owner } = change;
    if (cluster === selfCluster) continue;
    const known = latest.get(cluster);
    if (owner === undefined) {
      if (known !== undefined) known.releasedAt = at;
      continue;
    }
    if (known !== undefined && known.owned.owner !== owner) {
      const { owned, releasedAt } = known;
      const hit = faults.filter(({ at: from, until }) => from <= at && at <= until + aftermath * lease);
      const own = hit.filter(({ replica, name }) => replica === owned.replica || name.startsWith('database'));
      const end = releasedAt === undefined ? undefined : own.find(({ name }) => name === 'terminate');
      const kind = releasedAt === undefined ? 'takeover' : end === undefined ? 'balance' : 'handover';
      moves.push({ cluster, at, kind, fault: kind === 'takeover' ? (own[0] ?? hit[0]) : end });
    }
    latest.set(cluster, { owned: change, releasedAt: undefined });
  }
  return moves;
}

/** Moves that a fault caused: the lease ended, or its owner received SIGTERM. */
export function failoversOf(evidence: Pick<Evidence, 'leases' | 'faults' | 'lease'>): readonly Move[] {
  return movesOf(evidence).filter(({ kind }) => kind !== 'balance');
}
