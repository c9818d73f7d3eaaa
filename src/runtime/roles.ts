import type { Roles } from './worker-roles.ts';

/** The work that this program does in threads of their own. */
export const roles: Roles = {
  passwords: async () => (await import('./password-worker.ts')).passwordWork,
  state: async () => (await import('./store/state-worker.ts')).stateWork(),
};
