import type { PauseReason } from '../../src/api/guard.ts';
import { queryExplanationSchema } from '../../src/api/guard-why.ts';
import type {
  DecisionView,
  ExplainedQuery,
  GuardControl,
  LiveExplanation,
  ManualAbort,
  PauseView,
  Refusal,
} from '../../src/app/guard/guard-control.ts';
import type { PolicyReadiness } from '../../src/app/guard/guard-readiness.ts';
import type { RemainingBudget } from '../../src/guard/decision/budgets.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { AbortView, BreakerView } from '../../src/model/guard.ts';
import { exampleOf } from '../api/object-cases.ts';

const wall = Date.parse('2026-09-22T04:53:20Z');

/** An abort whose end is not known yet. */
export const pendingAbort: AbortView = {
  key: 'k1',
  node: 'm1',
  id: '7.RESTPP_1_1.1790000000000.N',
  graph: 'fraud',
  query: 'ring_scan',
  policy: 'runaway',
  notify: [],
  age: 75_000,
  at: wall,
};

/** An abort that went well. */
export function abortView(changes: Partial<AbortView> = {}): AbortView {
  return { ...pendingAbort, outcome: 'confirmed', endedAt: wall + 2000, ...changes };
}

/** The same as a decision. */
export function decisionView(changes: Partial<DecisionView> = {}): DecisionView {
  return { ...abortView(), cluster: 'prod', mode: 'enforce', phase: 'over', ...changes };
}

/** Guard control that performs requests of operators, or a given result. */
export class FakeGuardControl implements GuardControl {
  /** Reasons that hold for all clusters. */
  readonly reasons = new Set<PauseReason>();
  /** Clusters whose guard paused itself. */
  readonly pausedClusters = new Set<string>();
  readonly abortRequests: ManualAbort[] = [];
  readonly resets: string[] = [];
  views: readonly DecisionView[] = [];
  open: readonly BreakerView[] = [
    {
      key: 'same_query fraud ring_scan',
      reason: 'same_query',
      graph: 'fraud',
      query: 'ring_scan',
      policy: '',
      since: wall,
    },
  ];
  policyReadiness: readonly PolicyReadiness[] = [
    { policy: 'runaway', mode: 'enforce', node: 'm1', reasons: [], held: 0, since: undefined, page: undefined },
    {
      policy: 'runaway',
      mode: 'enforce',
      node: 'm2',
      reasons: ['not_covered', 'node_budget'],
      held: 1,
      since: wall,
      page: { node: 'm2', since: wall },
    },
  ];
  /** Nothing can be stored. */
  failsToStore = false;
  explanation: Partial<LiveExplanation> = {};
  abortResult: Result<AbortView, Refusal> | undefined;

  paused(cluster = ''): PauseView {
    const own: readonly PauseReason[] = this.pausedClusters.has(cluster) ? ['unexpected_id'] : [];
    const reasons = [...this.reasons, ...own];
    return { isPaused: reasons.length > 0, reasons };
  }

  async pause(_: string, reason: PauseReason): Promise<Result<void, string>> {
    this.reasons.add(reason);
    return this.#stored();
  }

  async resume(_: string, cluster?: string): Promise<Result<void, string>> {
    if (cluster !== undefined) return this.pausedClusters.delete(cluster) ? this.#stored() : err('it is not paused');
    this.pausedClusters.clear();
    for (const reason of this.reasons) if (reason !== 'file') this.reasons.delete(reason);
    return this.reasons.size === 0 ? this.#stored() : err('there is a file');
  }

  async resetBreaker(cluster: string, breaker: string, by: string): Promise<Result<boolean, string>> {
    const isOpen = cluster === 'prod' && this.open.some(({ key }) => key === breaker);
    if (!isOpen) return ok(false);
    this.open = this.open.filter(({ key }) => key !== breaker);
    this.resets.push(`${cluster} ${breaker} ${by}`);
    const stored = this.#stored();
    return stored.ok ? ok(true) : stored;
  }

  budgets(cluster: string): readonly RemainingBudget[] {
    const budget = { max: 3, within: 600_000 };
    return cluster === 'prod' ? [{ node: 'm1', budget, left: 1 }] : [];
  }

  readiness(cluster: string): readonly PolicyReadiness[] {
    return cluster === 'prod' ? this.policyReadiness : [];
  }

  breakers(cluster: string): readonly BreakerView[] {
    return cluster === 'prod' ? this.open : [];
  }

  explain({ cluster, node, id }: ExplainedQuery): LiveExplanation | undefined {
    if (cluster !== 'prod' || node !== 'm1') return undefined;
    const { aborts: _, ...live } = queryExplanationSchema.parse(exampleOf(queryExplanationSchema));
    return { ...live, id, ...this.explanation };
  }

  async abort(listRequest: ManualAbort): Promise<Result<AbortView, Refusal>> {
    this.abortRequests.push(listRequest);
    const { node, id, by, reason } = listRequest;
    return this.abortResult ?? ok(abortView({ node, id, policy: '', manual: { by, reason } }));
  }

  decisions(): readonly DecisionView[] {
    return this.views;
  }

  #stored(): Result<void, string> {
    return this.failsToStore ? err('the disk is full') : ok(undefined);
  }
}
