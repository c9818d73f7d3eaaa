import type { Millis } from '../../../../src/kernel/time.ts';
import { abortRequests, type Evidence, type Finding } from '../evidence.ts';

/** Comparison of the abort requests with the budgets. */
export interface BudgetUse {
  readonly findings: readonly Finding[];
  /** Number of requests that had to wait for a budget. */
  readonly delayed: number;
  /** Minimum delay of a waiting request after the budget allowed it, in ms; negative if the request came too early. */
  readonly minDelay: Millis;
}

/** Checks that no window has more requests than the budgets of the node and the cluster allow, across daemon runs. */
export function evaluateBudgets(evidence: Pick<Evidence, 'limits' | 'calls'>): BudgetUse {
  const { perNode, perCluster, within } = evidence.limits;
  const requests = abortRequests(evidence);
  const nodes = [...new Set(requests.map(({ node }) => node))];
  const margins = [
    ...nodes.flatMap((node) =>
      budgetMargins(
        requests.filter((one) => one.node === node).map(({ at }) => at),
        perNode,
        within,
      ),
    ),
    ...budgetMargins(
      requests.map(({ at }) => at),
      perCluster,
      within,
    ),
  ];
  const over = margins.filter((margin) => margin < 0);
  return {
    findings: over.map((margin) => ({
      kind: 'over budget',
      about: `a request exceeded the budget ${-margin} ms before the end of its ${within} ms`,
    })),
    delayed: margins.filter((margin) => margin < within / 2).length,
    minDelay: Math.min(...margins, Number.POSITIVE_INFINITY),
  };
}

/** Returns, per time, its delay after the budget allowed it: after `within` from the time `max` places before it. */
function budgetMargins(times: readonly number[], max: number, within: Millis): readonly Millis[] {
  return times.flatMap((at, index) => {
    const earlier = times[index - max];
    return earlier === undefined ? [] : [at - earlier - within];
  });
}
