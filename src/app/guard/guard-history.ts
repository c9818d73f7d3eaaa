import type { Decision } from '../../guard/decision/decision.ts';
import { isTentative } from '../../guard/decision/decision.ts';
import type { GuardOutput, Intent } from '../../guard/decision/output.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import { toBreakerView } from '../../guard/storage/guard-state-rows.ts';
import type { Instant } from '../../kernel/time.ts';
import type { AbortView, BreakerView, GuardView } from '../../model/guard.ts';
import type { DecisionView } from './guard-control.ts';

/** Number of past decisions that the API returns; the audit log has all of them. */
const maxKept = 1000;
/** Time for which alert rules still see an abort after its outcome. */
const reportedFor = 3_600_000;

type PastDecision = Omit<DecisionView, 'phase'>;

/** Recent decisions of the guard of one cluster, for the API and the alert rules. */
export class GuardHistory {
  readonly #cluster: string;
  /** By key, the latest last. */
  readonly #past = new Map<string, PastDecision>();
  /** Reasons that delay the decisions without an intent, by key. */
  readonly #pendingLate = new Map<string, Pick<PastDecision, 'late'>>();
  readonly #breakers = new Map<string, BreakerView>();
  /** Nodes without a usable process list, with the start time of the gap. */
  readonly #blind = new Map<string, Omit<GuardView['nodesWithoutData'][number], 'reason'>>();
  /** Reason why the latest list of a node was rejected. */
  readonly #rejectReasons = new Map<string, string>();

  constructor(cluster: string) {
    this.#cluster = cluster;
  }

  /** Adds the stored decisions of an earlier run. */
  restore(aborts: readonly AbortView[], breakers: readonly BreakerView[]): void {
    const unknown = aborts.filter(({ key }) => !this.#past.has(key));
    for (const view of unknown.toReversed()) this.#add({ ...view, cluster: this.#cluster, mode: modeOf(view) });
    for (const breaker of breakers) this.#breakers.set(breaker.key, breaker);
  }

  /** Records an output of a guard step. */
  record(output: GuardOutput, now: Instant): void {
    if (output.kind === 'began') this.#pendingLate.set(output.key, {});
    else if (output.kind === 'cancelled') this.#pendingLate.delete(output.key);
    else if (output.kind === 'intent') this.#add(toPastDecision(output.intent, output.notify));
    else if (output.kind === 'would_abort') {
      this.#add({ ...toPastDecision(output.intent, []), mode: 'observe', endedAt: now.wall });
    } else if (output.kind === 'late') this.#setLate(output.key, { late: output.reason });
    else if (output.kind === 'outcome') {
      const { key, outcome, at, skipReason } = output;
      this.#update(key, { outcome, endedAt: at, ...(skipReason === undefined ? {} : { skipReason }) });
    } else if (output.kind === 'breaker') this.#setBreaker(output.breaker, output.isOpen, now);
    else if (output.kind === 'skipped' && output.scope === 'node') this.#rejectReasons.set(output.node, output.reason);
    else if (output.kind === 'blind') this.#setBlind(output, now);
  }

  /** Returns the facts for the alert rules. */
  view(now: Instant): GuardView {
    const enforced = [...this.#past.values()].filter(({ mode }) => mode !== 'observe');
    const aborts = joinAttempts(enforced).filter(
      ({ endedAt }) => endedAt === undefined || now.wall - endedAt <= reportedFor,
    );
    const nodesWithoutData = [...this.#blind.values()].map((one) => ({
      ...one,
      reason: this.#rejectReasons.get(one.node) ?? '',
    }));
    return { aborts, breakers: this.breakers(), nodesWithoutData };
  }

  /** Returns the open circuit breakers. */
  breakers(): readonly BreakerView[] {
    return [...this.#breakers.values()];
  }

  /** Returns the abort of an intent with its current state. */
  abort(key: string): AbortView | undefined {
    return this.#past.get(key);
  }

  /** Returns a decision with its phase, also one of an observing policy. */
  decision(key: string, { decisions }: Pick<GuardState, 'decisions'>): DecisionView | undefined {
    const past = this.#past.get(key);
    return past && { ...past, phase: decisions.get(key)?.phase ?? 'over' };
  }

  /** Returns decisions in progress and past ones, latest first. */
  decisions(state: GuardState, now: Instant): readonly DecisionView[] {
    const { decisions, views } = state;
    const waiting = [...decisions.values()].filter((one) => isTentative(one) || !this.#past.has(one.key));
    const begun = new Map(waiting.map((one) => [one.key, this.#activeView(one, views, now)]));
    const past = [...this.#past.keys()]
      .filter((key) => !begun.has(key))
      .flatMap((key) => this.decision(key, state) ?? []);
    return [...past, ...begun.values()].toReversed();
  }

  /** Forgets removed nodes. */
  retainNodes(nodes: readonly string[]): void {
    for (const node of this.#blind.keys()) if (!nodes.includes(node)) this.#blind.delete(node);
  }

  #activeView(decision: Decision, views: GuardState['views'], now: Instant): DecisionView {
    const { key, target, policy, manual, matchedAt, phase, late } = decision;
    const { node, id, graph, query } = target;
    const age = views.get(node)?.list?.candidates.get(id)?.age.least ?? 0;
    const mode: DecisionView['mode'] = manual === undefined ? decision.mode : 'manual';
    const reported = { key, cluster: this.#cluster, node, id, graph, query, policy, mode, phase, notify: [] };
    const at = now.wall + matchedAt - now.mono;
    return { ...reported, age, at, ...(late === undefined ? {} : { late }) };
  }

  #add(past: PastDecision): void {
    this.#past.delete(past.key);
    this.#past.set(past.key, { ...past, ...this.#pendingLate.get(past.key) });
    this.#pendingLate.delete(past.key);
    for (const [key, { endedAt }] of this.#past) {
      if (this.#past.size <= maxKept) break;
      if (endedAt !== undefined) this.#past.delete(key);
    }
  }

  #setLate(key: string, changes: Pick<PastDecision, 'late'>): void {
    if (this.#pendingLate.has(key)) this.#pendingLate.set(key, changes);
    else this.#update(key, changes);
  }

  #update(key: string, changes: Partial<PastDecision>): void {
    const past = this.#past.get(key);
    if (past !== undefined) this.#past.set(key, { ...past, ...changes });
  }

  #setBreaker(key: string, isOpen: boolean, now: Instant): void {
    if (isOpen) this.#breakers.set(key, toBreakerView(key, now.wall));
    else this.#breakers.delete(key);
  }

  #setBlind({ node, isBlind }: Extract<GuardOutput, { readonly kind: 'blind' }>, now: Instant): void {
    if (isBlind) this.#blind.set(node, { node, since: now.wall });
    else this.#blind.delete(node);
  }
}

/** Joins the attempts on a query whose requests were not sent with the next one: one abort, with the time of the first. */
function joinAttempts(attempts: readonly PastDecision[]): readonly PastDecision[] {
  const latest = new Map<string, PastDecision>();
  const joined = new Set<PastDecision>();
  for (const attempt of attempts) {
    const key = JSON.stringify([attempt.node, attempt.id]);
    const before = latest.get(key);
    const isRetry = before?.mode === 'enforce' && attempt.mode === 'enforce' && wasNotSent(before);
    if (isRetry) joined.delete(before);
    const one = isRetry ? { ...attempt, firstAt: before.firstAt ?? before.at } : attempt;
    latest.set(key, one);
    joined.add(one);
  }
  return [...joined];
}

function wasNotSent({ outcome }: PastDecision): boolean {
  return outcome === 'not_sent' || outcome === 'withdrawn';
}

function toPastDecision(intent: Intent, notify: readonly string[]): PastDecision {
  const { key, cluster, node, id, graph, query, policy, at, manual } = intent;
  const { age, grantedTimeout, pressures } = intent.evidence;
  const reported = { key, cluster, node, id, graph, query, policy, notify, at, age: age.least };
  return {
    ...reported,
    mode: manual === undefined ? 'enforce' : 'manual',
    ...(manual === undefined ? {} : { manual }),
    ...(grantedTimeout === undefined ? {} : { grantedTimeout }),
    ...(Object.keys(pressures).length === 0 ? {} : { gated: true }),
  };
}

function modeOf({ manual }: AbortView): PastDecision['mode'] {
  return manual === undefined ? 'enforce' : 'manual';
}
