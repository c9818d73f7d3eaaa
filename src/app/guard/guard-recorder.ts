import type { GuardInput } from '../../guard/decision/input.ts';
import type { GuardOutput } from '../../guard/decision/output.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Result } from '../../kernel/result.ts';
import type { StoreChange } from '../../kernel/store.ts';
import type { Digest } from '../../kernel/system.ts';
import type { Clock } from '../../kernel/time.ts';
import type { ClusterGuardSettings } from './cluster-guard-settings.ts';
import type { FlightRecorder } from './flight-recorder.ts';
import type { DecisionView } from './guard-control.ts';
import { GuardCounters } from './guard-counters.ts';
import { GuardHistory } from './guard-history.ts';
import { logGuardOutput } from './guard-log.ts';
import { auditChanges } from './guard-persistence.ts';

/** Dependencies of a {@link GuardRecorder}. */
export interface GuardRecorderContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly digest: Digest;
  /** Commits rows together with the alert changes that they cause; resolves when they are on disk. */
  readonly record: (changes: readonly StoreChange[]) => Promise<Result<void, string>>;
  /** Sends a decision to API clients once it is stored. */
  readonly publish: (decision: DecisionView) => void;
  /** Absent if the state is not on disk. */
  readonly flightRecorder?: FlightRecorder;
}

/** The step that is recorded. */
export interface RecordedStep {
  readonly input: GuardInput;
  readonly outputs: readonly GuardOutput[];
  readonly settings: ClusterGuardSettings;
  /** Without policies, lists are not recorded and the state of nodes is not logged. */
  readonly hasPolicies: boolean;
  /** Current state, read again after the commit. */
  readonly state: () => GuardState;
  /** Called for each intent of the step when its commit succeeded or failed. */
  readonly onCommit: (key: string, isOnDisk: boolean) => void;
}

/** Outputs that only matter to a cluster with policies. */
const coverageOutputs: ReadonlySet<GuardOutput['kind']> = new Set(['covered', 'blind', 'skipped']);

/** Recorder of what the guard of one cluster does: counters, history, log, audit, events and recordings. */
export class GuardRecorder {
  readonly counters = new GuardCounters();
  readonly history: GuardHistory;
  readonly #cluster: string;
  readonly #context: GuardRecorderContext;

  constructor(cluster: string, context: GuardRecorderContext) {
    this.#cluster = cluster;
    this.#context = context;
    this.history = new GuardHistory(cluster);
  }

  /** Records the outputs of a step, and commits the rows that it requires. */
  record(step: RecordedStep): void {
    const { clock, digest, log } = this.#context;
    const now = clock.now();
    for (const output of step.outputs) {
      this.counters.record(output);
      this.history.record(output, now);
      if (step.hasPolicies || !coverageOutputs.has(output.kind)) logGuardOutput(log, output);
    }
    const rows = auditChanges(step.outputs, { cluster: this.#cluster, guard: step.settings.guard, digest, now });
    if (rows.length > 0) void this.#storeRows(rows, step);
    else this.#publish(step);
    if (step.hasPolicies) this.#context.flightRecorder?.record({ ...step, state: step.state() });
  }

  async #storeRows(rows: readonly StoreChange[], step: RecordedStep): Promise<void> {
    const stored = await this.#context.record(rows);
    if (!stored.ok) this.#context.log.error('audit write failed', { error: stored.error });
    this.#publish(step);
    for (const output of step.outputs) if (output.kind === 'intent') step.onCommit(output.intent.key, stored.ok);
  }

  #publish({ outputs, state }: RecordedStep): void {
    for (const output of outputs) {
      const key = publishedKey(output);
      const decision = key === undefined ? undefined : this.history.decision(key, state());
      if (decision !== undefined) this.#context.publish(decision);
    }
  }
}

/** Key of the decision that API clients receive: from its intent on, and for a policy that observes. */
function publishedKey(output: GuardOutput): string | undefined {
  if (output.kind === 'intent') return output.intent.key;
  return output.kind === 'would_abort' || output.kind === 'outcome' ? output.key : undefined;
}
