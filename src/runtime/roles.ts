import type { Summary } from '../kernel/store.ts';
import type { Roles } from './worker-roles.ts';

/** Returns the roles of the worker threads. `summaries` are those of the history; a migrated database records `program`. */
export function createRoles(summaries: () => Promise<readonly Summary[]>, program: string): Roles {
  return {
    passwords: async () => (await import('./password-worker.ts')).passwordWork,
    state: async () => (await import('./store/state-worker.ts')).stateWork({ program }),
    history: async () => (await import('./store/history-worker.ts')).historyWork(await summaries()),
  };
}
