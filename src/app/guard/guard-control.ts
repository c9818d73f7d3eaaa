import type { PauseReason } from '../../api/guard.ts';
import type { QueryExplanationReport } from '../../api/guard-why.ts';
import type { Config } from '../../config/config.ts';
import type { RemainingBudget } from '../../guard/decision/budgets.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Ownership } from '../../kernel/ownership.ts';
import type { Result } from '../../kernel/result.ts';
import type { Store, StoreChange } from '../../kernel/store.ts';
import type { Digest, Files, Random } from '../../kernel/system.ts';
import type { Clock } from '../../kernel/time.ts';
import type { AbortView, BreakerView } from '../../model/guard.ts';
import type { SampleFact } from '../../model/situation.ts';
import type { FlightRecorder } from './flight-recorder.ts';
import type { PolicyReadiness } from './guard-readiness.ts';
import type { GuardNodeAccess } from './node-access.ts';

/** Parts of the configuration that the guard uses. */
export type GuardedConfig = Pick<Config, 'guard' | 'clusters' | 'collectors' | 'stateDir' | 'rejection'>;

/** Dependencies of the guard. */
export interface GuardSupervisorContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
  readonly digest: Digest;
  readonly random: Random;
  readonly files: Pick<Files, 'presence' | 'watch'>;
  /** File that pauses the guard while it exists. */
  readonly pauseFile: string;
  /** Current samples of a family of a cluster. */
  readonly facts: (cluster: string, family: string) => readonly SampleFact[];
  /** Access to the nodes of a cluster; undefined if the cluster is not polled. */
  readonly nodeAccess: (cluster: string) => GuardNodeAccess | undefined;
  /** Stores rows together with the alert changes that they cause. */
  readonly record: (cluster: string, changes: readonly StoreChange[]) => Promise<Result<void, string>>;
  /** Publishes a change of a decision to the clients of the API. */
  readonly publish: (decision: DecisionView) => void;
  /** Absent if the state is not on disk. */
  readonly flightRecorder?: FlightRecorder;
  /** Absent: this process owns all clusters. */
  readonly ownership?: Ownership;
}

/** Whether the guard of a cluster, or of all clusters, is paused, and why; no reasons if it is not. */
export interface PauseView {
  readonly isPaused: boolean;
  readonly reasons: readonly PauseReason[];
}

/** Request of an operator to abort one query. */
export interface ManualAbort {
  readonly cluster: string;
  readonly node: string;
  readonly id: string;
  readonly reason: string;
  /** Operator, as the audit stores it. */
  readonly by: string;
  /** Abort although the guard is paused. */
  readonly whilePaused: boolean;
  /** Graph of an interpreted query. */
  readonly graph?: string;
}

/** Reason why no abort was sent. */
export interface Refusal {
  readonly kind: 'unknown_node' | 'unknown_query' | 'refused' | 'not_stored';
  readonly message: string;
}

/** A decision in the API: an intent with its outcome, or what an observing policy would have done. */
export interface DecisionView extends AbortView {
  readonly cluster: string;
  readonly mode: 'observe' | 'enforce' | 'manual';
  readonly phase: 'grace' | 'fresh' | 'committing' | 'preparing' | 'sent' | 'verifying' | 'over';
  /** Why it was withdrawn or cancelled. */
  readonly skipReason?: string;
  /** What delayed it after its earliest abort time. */
  readonly late?: string;
}

/** Query of a node. */
export interface ExplainedQuery {
  readonly cluster: string;
  readonly node: string;
  readonly id: string;
}

/** What the guard does with a query, without the aborts in the audit. */
export type LiveExplanation = Omit<QueryExplanationReport, 'aborts'>;

/** Operator actions on the guard, and its state for the API. */
export interface GuardControl {
  /** Pause of the guard of a cluster; without a cluster, the pauses that hold for all clusters. */
  paused(cluster?: string): PauseView;
  /** Pauses the guard of all clusters at once; the error is that the pause could not be stored. */
  pause(by: string, reason: PauseReason): Promise<Result<void, string>>;
  /** Ends all pauses, or those of one cluster; the error names what keeps the guard paused. */
  resume(by: string, cluster?: string): Promise<Result<void, string>>;
  /** Closes a circuit breaker; false if it is not open. */
  resetBreaker(cluster: string, breaker: string, by: string): Promise<Result<boolean, string>>;
  /** Open circuit breakers of a cluster. */
  breakers(cluster: string): readonly BreakerView[];
  /** Remaining budgets of a cluster; empty if no policy applies to it. */
  budgets(cluster: string): readonly RemainingBudget[];
  /** Whether each policy can abort queries on each node of a cluster, and why not. */
  readiness(cluster: string): readonly PolicyReadiness[];
  /** What the guard does with a query, and why; undefined if the cluster does not have the node. */
  explain(query: ExplainedQuery): LiveExplanation | undefined;
  /** Resolves when the outcome is known, or with the reason why nothing was sent. */
  abort(request: ManualAbort): Promise<Result<AbortView, Refusal>>;
  /** Decisions in progress and past ones, latest first. */
  decisions(): readonly DecisionView[];
}
