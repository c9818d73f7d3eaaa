import { err, ok, type Result } from '../../kernel/result.ts';
import type { StoreChange } from '../../kernel/store.ts';
import { requiredLeases, unconfirmedLease } from './commit-fence.ts';
import type { RunSql } from './connection.ts';
import { kindOfError, LeaseNotRenewed } from './errors.ts';
import type { GrantedLease } from './held-leases.ts';
import { fenceStatement } from './lease-statements.ts';
import { changeStatements } from './statements.ts';

/** Leases of this replica, which the rows of clusters need. */
export interface Fence {
  /** Id of this replica. */
  readonly id: string;
  /** Epoch of the lease of a cluster; undefined without a lease. */
  readonly epochOf: (cluster: string) => number | undefined;
}

/** Batch with the leases that this replica held when the batch was passed. A lease that was lost since then rejects the batch. */
export interface PreparedBatch {
  readonly changes: readonly StoreChange[];
  readonly leases: readonly GrantedLease[];
}

/** Returns the batch with its leases, or an error if this replica lacks one, or if the batch is invalid. */
export function prepareBatch(changes: readonly StoreChange[], fence: Fence | undefined): Result<PreparedBatch, string> {
  try {
    changeStatements(changes);
  } catch (error) {
    return err(notStored(error));
  }
  if (fence === undefined) return ok({ changes, leases: [] });
  const required = requiredLeases(changes, fence.epochOf);
  return required.ok ? ok({ changes, leases: required.value }) : required;
}

/**
 * Commits batches in a transaction of the caller. A batch that fails is skipped as a whole, also if the replica lost one of its
 * leases. Rejects if the transaction cannot go on.
 */
export async function commitBatches(
  run: RunSql,
  batches: readonly PreparedBatch[],
  { fence, isRepeated }: { readonly fence: Fence | undefined; readonly isRepeated: boolean },
): Promise<readonly Result<void, string>[]> {
  const held = fence === undefined ? new Set<string>() : await heldLeases(run, fence, batches);
  const fenced = batches.map(({ changes, leases }) => {
    const confirmed = leases.filter((lease) => held.has(keyOf(lease))).map(({ cluster }) => cluster);
    return { changes, outcome: unconfirmedLease(leases, confirmed) };
  });
  // Batches rarely fail, and committing each one separately takes three times as many statements.
  const allowed = fenced.filter(({ outcome }) => outcome.ok).flatMap(({ changes }) => changes);
  const together = await commitBatch(run, allowed, isRepeated);
  const outcomes: Result<void, string>[] = [];
  for (const { changes, outcome } of fenced)
    outcomes.push(outcome.ok && !together.ok ? await commitBatch(run, changes, isRepeated) : outcome);
  return outcomes;
}

/**
 * Returns the leases that are still valid. Rejects with {@link LeaseNotRenewed} if a lease has expired but no other replica took
 * it, as after an outage of the database: it is about to be renewed, and the commit is repeated.
 */
async function heldLeases(
  run: RunSql,
  { id, epochOf }: Fence,
  batches: readonly PreparedBatch[],
): Promise<ReadonlySet<string>> {
  const leases = new Map(batches.flatMap((batch) => batch.leases.map((lease) => [keyOf(lease), lease])));
  if (leases.size === 0) return new Set();
  const { rows } = await run(fenceStatement, [id, JSON.stringify([...leases.values()])]);
  const owned = rows.map((row) => ({
    cluster: String(row.cluster),
    epoch: Number(row.epoch),
    lasts: row.lasts === true,
  }));
  const ended = owned.find(({ cluster, epoch, lasts }) => !lasts && epochOf(cluster) === epoch);
  if (ended !== undefined) throw new LeaseNotRenewed(ended.cluster);
  return new Set(owned.filter(({ lasts }) => lasts).map(keyOf));
}

function keyOf({ cluster, epoch }: GrantedLease): string {
  return `${epoch} ${cluster}`;
}

async function commitBatch(
  run: RunSql,
  changes: readonly StoreChange[],
  isRepeated: boolean,
): Promise<Result<void, string>> {
  if (changes.length === 0) return ok(undefined);
  await run('SAVEPOINT batch');
  try {
    for (const { sql, values, adds, found } of changeStatements(changes, isRepeated)) {
      const { changed } = await run(sql, values);
      if (found === undefined || adds === undefined || changed === adds) continue;
      // Rows that an earlier attempt added are the same; other rows with these keys are not.
      const { rows } = await run(found.sql, found.values);
      if (Number(rows[0]?.rows) !== adds) throw new TypeError('a row with this key exists');
    }
    await run('RELEASE SAVEPOINT batch');
    return ok(undefined);
  } catch (error) {
    if (kindOfError(error) !== 'refused') throw error;
    await run('ROLLBACK TO SAVEPOINT batch');
    return err(notStored(error));
  }
}

function notStored(error: unknown): string {
  return `cannot be stored: ${error instanceof Error ? error.message : String(error)}`;
}
