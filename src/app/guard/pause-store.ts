import type { PauseReason } from '../../api/guard.ts';
import { loadPauses, pauseChange, pauseDeletion, resumeChange } from '../../guard/storage/guard-state-rows.ts';
import { ok } from '../../kernel/result.ts';
import type { Store, StoreChange } from '../../kernel/store.ts';
import type { Clock } from '../../kernel/time.ts';
import { isSamePause, type Pause, type PauseStore, stateLost } from './pause-switch.ts';

const storedReasons: readonly PauseReason[] = ['operator', 'signal', 'unexpected_id', 'other_guard', 'state_lost'];

/**
 * Creates the store of the pause switch. An unknown stored reason pauses the guard of all clusters. If replicas share the
 * store, a pause that another one has just stored stays, although this process does not know it yet.
 */
export function createPauseStore(store: Store, clock: Clock, isShared = false): PauseStore {
  let known: readonly Pause[] = [];
  return {
    async read() {
      const rows = await loadPauses(store);
      if (!rows.ok) return rows;
      const pauses = rows.value.map(({ cluster, reason: stored }): Pause => {
        const reason = storedReasons.find((one) => one === stored);
        return reason === undefined ? stateLost : { reason, cluster };
      });
      known = pauses.filter((one, at) => pauses.findIndex((other) => isSamePause(one, other)) === at);
      return ok(known);
    },
    async write(pauses) {
      const at = clock.now().wall;
      const ended = known.filter((one) => !pauses.some((other) => isSamePause(one, other)));
      const added = pauses.map(({ reason, cluster }) => pauseChange({ cluster, reason, by: '', at }));
      const stored = await store.commit([...deletions(ended, isShared), ...added]);
      if (stored.ok) known = pauses;
      return stored;
    },
  };
}

/** Unreadable rows count as lost state, and are deleted with it. */
function deletions(ended: readonly Pause[], isShared: boolean): readonly StoreChange[] {
  const isAnyUnreadable = ended.some((one) => isSamePause(one, stateLost));
  return isShared && !isAnyUnreadable ? ended.map(pauseDeletion) : [resumeChange()];
}
