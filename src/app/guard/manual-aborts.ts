import type { ManualSkipReason } from '../../guard/decision/decision.ts';
import type { GuardOutput } from '../../guard/decision/output.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Clock } from '../../kernel/time.ts';
import type { AbortView } from '../../model/guard.ts';
import type { Refusal } from './guard-control.ts';

/** Refusal of a manual abort in a cluster without sockets for aborts. */
export const notGuardedMessage =
  'no abort is possible: no policy covers the cluster, and it has no abort_auth; add a policy (mode observe is enough) or abort_auth';

type ManualAbortResult = Result<AbortView, Refusal>;

interface PendingAbort {
  readonly node: string;
  readonly id: string;
  readonly manual: NonNullable<AbortView['manual']>;
  /** Set when the decision begins. */
  key: string | undefined;
  readonly answer: (answer: ManualAbortResult) => void;
}

/** Manual aborts whose outcome an operator waits for. */
export class ManualAborts {
  readonly #view: (key: string) => AbortView | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  #pending: readonly PendingAbort[] = [];
  #isClosed = false;

  constructor(view: (key: string) => AbortView | undefined, clock: Pick<Clock, 'now'>) {
    this.#view = view;
    this.#clock = clock;
  }

  /** Waits for the outcome of a manual abort. */
  wait({ node, id, manual }: Pick<PendingAbort, 'node' | 'id' | 'manual'>): Promise<ManualAbortResult> {
    if (this.#isClosed) return Promise.resolve(err(shutdownRefusal));
    return new Promise((answer) => {
      this.#pending = [...this.#pending, { node, id, manual, key: undefined, answer }];
    });
  }

  /** Resolves the manual aborts that the outputs of a step finish. */
  record(outputs: readonly GuardOutput[]): void {
    if (this.#pending.length > 0) for (const output of outputs) this.#recordOutput(output);
  }

  /** Refuses all that are pending, and every later one. */
  close(): void {
    this.#isClosed = true;
    this.#resolve(() => true, err(shutdownRefusal));
  }

  #recordOutput(output: GuardOutput): void {
    if (output.kind === 'began' && output.decision.manual !== undefined) this.#assignKey(output.decision);
    else if (output.kind === 'declined') {
      const isFor = (one: PendingAbort) => one.node === output.node && one.id === output.id && one.key === undefined;
      this.#resolve(isFor, (one) => declinedResult(output, one, this.#clock.now().wall));
    } else if (output.kind === 'cancelled') {
      this.#resolve(({ key }) => key === output.key, err(manualAbortRefusal(output.skipReason)));
    } else if (output.kind === 'outcome') {
      const view = this.#view(output.key);
      if (view !== undefined) this.#resolve(({ key }) => key === output.key, ok(view));
    }
  }

  #assignKey({ key, target }: Extract<GuardOutput, { readonly kind: 'began' }>['decision']): void {
    for (const one of this.#pending) {
      if (one.key === undefined && one.node === target.node && one.id === target.id) one.key = key;
    }
  }

  #resolve(
    isFor: (one: PendingAbort) => boolean,
    answer: ManualAbortResult | ((one: PendingAbort) => ManualAbortResult),
  ): void {
    const answered = this.#pending.filter(isFor);
    this.#pending = this.#pending.filter((one) => !answered.includes(one));
    for (const one of answered) one.answer(typeof answer === 'function' ? answer(one) : answer);
  }
}

/** A query that has ended needs no abort, which is a success. */
function declinedResult(
  { node, id, skipReason, ended }: Extract<GuardOutput, { readonly kind: 'declined' }>,
  { manual }: PendingAbort,
  at: number,
): ManualAbortResult {
  if (ended === undefined) return err(manualAbortRefusal(skipReason));
  const target = { key: '', node, id, ...ended, policy: '', manual, notify: [] };
  return ok({ ...target, at, outcome: 'finished_first', endedAt: at });
}

/** The guard of a cluster stops with the process, and if another one takes the cluster over. */
const noLongerGuarded =
  'this process no longer guards the cluster: it stops, or the cluster was moved to another replica or removed';

const shutdownRefusal: Refusal = {
  kind: 'refused',
  message: `${noLongerGuarded}; the audit will contain the outcome`,
};

const refusals: Readonly<Record<ManualSkipReason, Refusal>> = {
  malformed_id: createRefusal('The ID is not the request ID of a query.'),
  unknown_node: { kind: 'unknown_node', message: 'The cluster does not have this node.' },
  not_listed: { kind: 'unknown_query', message: 'The node does not list the query; it may have ended.' },
  malformed_entry: createRefusal(
    'The entry of the query in the process list is malformed, or its ages disagree, so the guard does not act on it.',
  ),
  no_list: createRefusal('The node returned no valid process list within ten seconds.'),
  too_old: createRefusal('The process list of the node is too old; try again.'),
  in_progress: createRefusal('An abort of the query is already in progress.'),
  paused: createRefusal('The guard is paused; set whilePaused (--while-paused) to abort anyway.'),
  audit: { kind: 'not_stored', message: 'The audit cannot be written; the guard aborts nothing without it.' },
  stopping: createRefusal(
    'This process no longer guards the cluster: it stops, or the cluster was moved to another replica or removed.',
  ),
  not_restored: createRefusal('The stored state is not loaded yet; try again.'),
  not_covered: createRefusal(
    'The guard does not cover the node: its query server instance is not known yet, or an earlier cluster of the configuration has the node as well. Name that cluster, try again later, or set `instance` of the node.',
  ),
  not_installed: createRefusal(
    'The query is not an installed query. To abort an interpreted query, name its graph (graph, --graph).',
  ),
  unknown_graph: createRefusal('The graph of the query is not a known graph of the cluster.'),
  // The reasons below do not apply to manual aborts; they complete the record.
  mode: createRefusal('The guard is in observe mode.'),
  unconfirmed: createRefusal('The query is not confirmed.'),
  not_matched: createRefusal('No policy matches the query.'),
  kept_oldest: createRefusal('The policy keeps the oldest query of a group.'),
  protected: createRefusal('The query is protected.'),
  breaker: createRefusal('A circuit breaker is open.'),
  excluded: createRefusal('The guard has already tried to abort the query.'),
  budget: createRefusal('The budgets of the guard are exhausted.'),
  connection: createRefusal('The connection to the node was closed.'),
  manual_abort: createRefusal('An operator is aborting the query.'),
};

/** Returns the refusal of a manual abort. */
export function manualAbortRefusal(skipReason: ManualSkipReason): Refusal {
  return refusals[skipReason];
}

function createRefusal(message: string): Refusal {
  return { kind: 'refused', message };
}
