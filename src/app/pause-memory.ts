import { readPause } from '../guard/keeping/read-kept.ts';
import { pauseChange, resumeChange } from '../guard/keeping/standing-rows.ts';
import { ok } from '../kernel/result.ts';
import type { Store } from '../kernel/store.ts';
import type { Clock } from '../kernel/time.ts';
import type { PauseReason } from './guard-control.ts';
import type { PauseMemory } from './pause-switch.ts';

const stored: readonly PauseReason[] = ['operator', 'signal', 'unexpected_id', 'state_lost'];

/** Where the stop switch is kept: a reason that nobody knows any more is one all the same. */
export function pauseMemory(store: Store, clock: Clock): PauseMemory {
  return {
    async read() {
      const rows = await readPause(store);
      if (!rows.ok) return rows;
      const reasons = rows.value.map(({ reason }) => stored.find((one) => one === reason) ?? 'state_lost');
      return ok([...new Set(reasons)]);
    },
    write(reasons) {
      const at = clock.now().wall;
      return store.commit([resumeChange(), ...reasons.map((reason) => pauseChange({ reason, by: '', at }))]);
    },
  };
}
