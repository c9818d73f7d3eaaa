import { notOwnedError } from '../../kernel/ownership.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { StoreChange } from '../../kernel/store.ts';
import type { GrantedLease } from './held-leases.ts';

/**
 * Tables whose rows each replica may add or change: silences and actions of operators, the log of what this replica sent, and
 * the highest incident number, of which the higher value is kept.
 */
const sharedTables: ReadonlySet<string> = new Set(['silences', 'guard_actions', 'notifications', 'counters']);

/** Table of the states of the guard, and the kind of those that operators change at any replica. */
const standing = { table: 'guard_standing', pause: 'pause' } as const;

/**
 * Returns the clusters whose rows a batch changes: only their owner may commit it. A change that does not name its cluster is a
 * bug; the error names its table.
 */
export function fencedClusters(changes: readonly StoreChange[]): Result<ReadonlySet<string>, string> {
  const clusters = new Set<string>();
  for (const change of changes) {
    if (isShared(change)) continue;
    const cluster = clusterOf(change);
    if (typeof cluster !== 'string') return err(`a change of the table ${change.table} does not name its cluster`);
    clusters.add(cluster);
  }
  return ok(clusters);
}

/**
 * Returns the leases that the transaction has to check; the error is that this replica has no lease of a cluster. `epochOf`
 * returns the epoch of a lease that this replica holds.
 */
export function requiredLeases(
  changes: readonly StoreChange[],
  epochOf: (cluster: string) => number | undefined,
): Result<readonly GrantedLease[], string> {
  const clusters = fencedClusters(changes);
  if (!clusters.ok) return clusters;
  const leases: GrantedLease[] = [];
  for (const cluster of [...clusters.value].toSorted()) {
    const epoch = epochOf(cluster);
    if (epoch === undefined) return err(notOwnedError(cluster));
    leases.push({ cluster, epoch });
  }
  return ok(leases);
}

/** Returns the error of a batch if the database does not confirm one of its leases. */
export function unconfirmedLease(required: readonly GrantedLease[], confirmed: Iterable<string>): Result<void, string> {
  const known = new Set(confirmed);
  const missing = required.find(({ cluster }) => !known.has(cluster));
  return missing === undefined ? ok(undefined) : err(notOwnedError(missing.cluster));
}

function isShared(change: StoreChange): boolean {
  if (sharedTables.has(change.table)) return true;
  const { kind } = 'put' in change ? change.put : change.drop;
  return change.table === standing.table && kind === standing.pause;
}

function clusterOf(change: StoreChange) {
  return 'put' in change ? change.put.cluster : (change.cluster ?? change.drop.cluster);
}
