import type { Result } from '../../kernel/result.ts';
import type { CommitPriority, StoreChange } from '../../kernel/store.ts';

/** Batch that waits for its transaction. */
export interface PendingCommit {
  readonly priority: CommitPriority;
  readonly changes: readonly StoreChange[];
}

/** Commit in the queue of a store. */
export interface CommitTask extends PendingCommit {
  readonly kind: 'commit';
  readonly settle: (outcome: Result<void, string>) => void;
}

/** Number of changes after which a transaction accepts no further batch: about 30 ms of work. */
const groupSize = 1000;

/** Returns the next batches that are committed together: urgent ones, after earlier batches for the same tables; otherwise the first ones. */
export function nextGroup<T extends PendingCommit>(commits: readonly T[]): readonly T[] {
  const group: T[] = [];
  let changes = 0;
  for (const commit of urgentFirst(commits)) {
    if (changes >= groupSize) break;
    group.push(commit);
    changes += Math.max(1, commit.changes.length);
  }
  return group;
}

function urgentFirst<T extends PendingCommit>(commits: readonly T[]): readonly T[] {
  if (commits.every(({ priority }) => priority === 'normal')) return commits;
  const tables = new Set<string>();
  const chosen: T[] = [];
  for (const commit of commits.toReversed()) {
    if (commit.priority === 'normal' && !commit.changes.some(({ table }) => tables.has(table))) continue;
    for (const { table } of commit.changes) tables.add(table);
    chosen.unshift(commit);
  }
  return chosen;
}
