/** User or group of the simulated server. */
export interface SimulatedAccount {
  readonly name: string;
  readonly failedAttempts: number;
  readonly isDisabled: boolean;
  readonly isSuperuser: boolean;
  /** Privileges on all graphs. */
  readonly everywhere: readonly string[];
  /** Privileges on each graph. */
  readonly onGraphs: readonly string[];
  /** Further members of the record of a group. */
  readonly members?: readonly string[];
}

/** Users and groups of the simulated server. */
export interface SimulatedAccounts {
  readonly users: readonly SimulatedAccount[];
  readonly groups: readonly SimulatedAccount[];
}

const maxAttempts = 60;
const plain = { failedAttempts: 0, isDisabled: false, isSuperuser: false, everywhere: [], onGraphs: ['READ_DATA'] };

/**
 * Returns users and groups. `intrudedFor` is the time in ms since an intruder began to guess a password, made another user
 * superuser and gave a group a destructive privilege; undefined without an intruder.
 */
export function simulatedAccounts(intrudedFor: number | undefined): SimulatedAccounts {
  const isIntruded = intrudedFor !== undefined;
  const attempts = isIntruded ? Math.min(maxAttempts, Math.floor(intrudedFor / 1000)) : 0;
  return {
    users: [
      { ...plain, name: 'admin', isSuperuser: true, everywhere: ['DROP_ALL', 'CLEAR_GRAPHSTORE'] },
      { ...plain, name: 'monitor', failedAttempts: 1 + attempts },
      { ...plain, name: 'loader', onGraphs: ['READ_DATA', 'CREATE_DATA', 'DELETE_DATA'] },
      { ...plain, name: 'temp"<b>', isSuperuser: isIntruded },
      { ...plain, name: 'leaver', isDisabled: true },
    ],
    groups: [
      { ...plain, name: 'analysts', members: ['u1'], everywhere: isIntruded ? ['DROP_GRAPH'] : [] },
      { ...plain, name: 'operators', members: [], everywhere: ['WRITE_SCHEMA'] },
    ],
  };
}
