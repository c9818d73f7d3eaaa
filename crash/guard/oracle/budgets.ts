import type { Millis } from '../../../src/kernel/time.ts';
import { abortRequests, type Evidence, type Finding } from '../evidence.ts';

/** How the requests for aborts stand to the budgets. */
export interface Spending {
  readonly findings: readonly Finding[];
  /** How often a budget was full, so that the next had to wait for it. */
  readonly full: number;
  /** By how much the closest request beyond a budget came later than it might have come, ms; below 0 where before. */
  readonly closest: Millis;
}

/** In no period there were more requests than a budget allows, on a node and in the cluster, over all lives. */
export function spendingOf(evidence: Evidence): Spending {
  const { perNode, perCluster, within } = evidence.limits;
  const requests = abortRequests(evidence);
  const nodes = [...new Set(requests.map(({ node }) => node))];
  const margins = [
    ...nodes.flatMap((node) =>
      marginsOf(
        requests.filter((one) => one.node === node).map(({ at }) => at),
        perNode,
        within,
      ),
    ),
    ...marginsOf(
      requests.map(({ at }) => at),
      perCluster,
      within,
    ),
  ];
  const over = margins.filter((margin) => margin < 0);
  return {
    findings: over.map((margin) => ({
      kind: 'over budget',
      about: `one more than the budget came ${-margin} ms before its ${within} ms were over`,
    })),
    full: margins.filter((margin) => margin < within / 2).length,
    closest: Math.min(...margins, Number.POSITIVE_INFINITY),
  };
}

/** For each time the one `max` places before it: how much later than `within` after that it is. */
function marginsOf(times: readonly number[], max: number, within: Millis): readonly Millis[] {
  return times.flatMap((at, index) => {
    const earlier = times[index - max];
    return earlier === undefined ? [] : [at - earlier - within];
  });
}
