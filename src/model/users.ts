/** Privileges with which a user can delete data or what depends on it. */
export const destructivePrivileges = [
  'CLEAR_GRAPHSTORE',
  'DELETE_DATA',
  'DROP_ALL',
  'DROP_GRAPH',
  'DROP_QUERY',
  'WRITE_SCHEMA',
] as const;

/** One of {@link destructivePrivileges}. */
export type DestructivePrivilege = (typeof destructivePrivileges)[number];

/** A destructive privilege and where it applies. */
export interface Grant {
  readonly privilege: DestructivePrivilege;
  /** Name of the graph; `''` for the whole server. */
  readonly graph: string;
}

/** User or group of users, with what it can destroy. */
export interface Account {
  readonly name: string;
  readonly isSuperuser: boolean;
  readonly isDisabled: boolean;
  /** Failed logins since the last successful one. */
  readonly failedLogins: number;
  /** Each once, in the order of graphs and privileges. */
  readonly grants: readonly Grant[];
}

/** Failed logins, and privileges that users or groups gained, since the first list. The counts survive restarts. */
export interface AccountGains {
  /** Total over all users; unlike {@link Account.failedLogins}, a successful login does not reset it. */
  readonly failedLogins: number;
  /** Accounts that became superuser. */
  readonly superusers: number;
  /** Accounts that gained a privilege without having been superuser. */
  readonly privileges: Readonly<Partial<Record<DestructivePrivilege, number>>>;
}

/** The users or the groups of the server. */
export interface AccountList {
  readonly accounts: readonly Account[];
  readonly gains: AccountGains;
}

/** Kinds of roles, a closed set of label values. */
export const roleKinds = ['builtin_global', 'builtin_local', 'user_defined'] as const;

/** Numbers of roles by kind. */
export type RoleCounts = Readonly<Record<(typeof roleKinds)[number], number>>;
