import type { GuardedClusterOptions } from '../../guard/decision/create-guard.ts';
import type { GateSource, GuardSettings } from '../../guard/policy.ts';
import type { Millis } from '../../kernel/time.ts';

/** Settings of the guard of one cluster. */
export interface ClusterGuardSettings extends GuardedClusterOptions {
  readonly guard: GuardSettings;
  /** Configured instance of each node's query endpoint. */
  readonly instances: Readonly<Record<string, string>>;
  /** Age at which a list no longer covers its node. */
  readonly staleAfter: Millis;
  readonly isPolled: boolean;
  /** Whether sockets are reserved for lists and aborts. */
  readonly isGuarded: boolean;
  /** Sources of gates that the enabled collectors poll. */
  readonly gateSources: readonly GateSource[];
}
