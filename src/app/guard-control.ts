import type { Result } from '../kernel/result.ts';
import type { AbortView, BreakerView } from '../model/guard.ts';

/** Why the guard holds still. */
export type PauseReason = 'operator' | 'file' | 'signal' | 'unexpected_id' | 'state_lost';

/** Whether the guard holds still, and why; empty where it does not. */
export interface PauseView {
  readonly isPaused: boolean;
  readonly reasons: readonly PauseReason[];
}

/** What an operator asks for by hand. */
export interface ManualAbort {
  readonly cluster: string;
  readonly node: string;
  readonly id: string;
  readonly reason: string;
  /** Who asks, as the audit keeps it. */
  readonly by: string;
  /** Do it although the guard is paused. */
  readonly whilePaused: boolean;
}

/** Why nothing was done. */
export interface Refusal {
  readonly kind: 'unknown_node' | 'unknown_query' | 'refused' | 'not_stored';
  readonly message: string;
}

/** A decision as the API tells of it: from the intent on, or what a policy that observes would have done. */
export interface DecisionView extends AbortView {
  readonly cluster: string;
  readonly mode: 'observe' | 'enforce' | 'manual';
  readonly phase: 'grace' | 'fresh' | 'committing' | 'sent' | 'verifying' | 'over';
  /** Why it was withdrawn or given up. */
  readonly doubt?: string;
  /** What kept it past its time. */
  readonly late?: string;
}

/** What operators may do with the guard, and what it tells them. */
export interface GuardControl {
  paused(): PauseView;
  /** Holds at once, also where it cannot be stored, which is the error. */
  pause(by: string, reason: PauseReason): Promise<Result<void, string>>;
  /** Goes on, unless something else still holds it: then that is the error. */
  resume(by: string): Promise<Result<void, string>>;
  /** Closes a breaker; false where none such is open. */
  resetBreaker(cluster: string, breaker: string, by: string): Promise<Result<boolean, string>>;
  /** The breakers that are open, by cluster. */
  breakers(cluster: string): readonly BreakerView[];
  /** Resolves when the outcome is known, or with the reason why nothing was sent. */
  abort(wish: ManualAbort): Promise<Result<AbortView, Refusal>>;
  /** The latest first: what is under way, and what came of earlier ones. */
  decisions(): readonly DecisionView[];
}
