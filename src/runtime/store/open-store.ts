import { err, ok } from '../../kernel/result.ts';
import type { OpenStore } from '../../kernel/store.ts';
import type { Clock } from '../../kernel/time.ts';
import { systemClock } from '../clock.ts';
import type { WorkerThread } from '../worker-thread.ts';
import { memoryStore } from './memory-store.ts';
import { StateThread } from './state-thread.ts';
import { ThreadStore } from './thread-store.ts';

/**
 * Opens stores whose database is worked on by threads of their own, so that no fsync holds up the event loop; without a
 * folder they are in memory. `workers` gives a thread in the role of `stateWork`; `now` (ms since the epoch) is what
 * history ages by.
 */
export function openStore(
  workers: () => WorkerThread,
  now: () => number = Date.now,
  clock: Clock = systemClock,
): OpenStore {
  return async ({ folder, retention }) => {
    const limits = { retention, now };
    if (folder === undefined) return ok(memoryStore(undefined, limits));
    const thread = new StateThread(workers(), { folder, retention });
    try {
      const { status, refusal } = await thread.open();
      if (refusal === undefined) return ok(new ThreadStore(thread, status, now, clock));
      await thread.stop();
      return err(refusal);
    } catch (error) {
      await thread.stop();
      const sentence = error instanceof Error ? error.message : String(error);
      return ok(memoryStore(`the state is kept in memory alone: ${sentence}`, limits));
    }
  };
}
