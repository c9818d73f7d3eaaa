import type { MissingClusters } from '../../api/fields.ts';
import {
  type AbortReport,
  type DecisionReport,
  type GuardReport,
  type PauseReport,
  pauseReasons,
} from '../../api/guard.ts';
import type { Config } from '../../config/config.ts';
import { summarizeProblems } from '../../config/problems.ts';
import { explainPolicy } from '../../guard/explain.ts';
import { effectiveMode } from '../../guard/policy.ts';
import { toSeconds } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { AbortView } from '../../model/guard.ts';
import type { DecisionView, GuardControl } from './guard-control.ts';

/** Returns the state of the guard over all clusters. */
export function reportGuard(
  control: Pick<GuardControl, 'paused' | 'breakers' | 'budgets' | 'readiness'>,
  { guard, clusters: monitored, scope, rejection }: Pick<Config, 'guard' | 'clusters' | 'scope' | 'rejection'>,
): GuardReport {
  const clusters = monitored.map(({ name }) => name);
  return {
    ...reportPause(control, clusters),
    mode: guard.mode,
    policies: guard.policies.map((policy) => ({
      name: policy.name,
      mode: effectiveMode(guard, policy),
      sentences: explainPolicy(policy, { guard, clusters, isOneNode: scope === 'node' }),
    })),
    budgets: clusters.flatMap((cluster) =>
      control.budgets(cluster).map(({ node, budget: { max, within }, left }) => {
        return { cluster, node, left, max, withinSeconds: toSeconds(within) };
      }),
    ),
    breakers: clusters.flatMap((cluster) =>
      control.breakers(cluster).map((one) => ({ cluster, ...one, since: formatTimestamp(one.since) })),
    ),
    readiness: clusters.flatMap((cluster) =>
      control.readiness(cluster).map(({ policy, mode, node, reasons: missing, held, since }) => ({
        cluster,
        policy,
        mode,
        node,
        reasons: missing,
        held,
        ready: missing.length === 0,
        since: since === undefined ? null : formatTimestamp(since),
      })),
    ),
    rejectedConfig:
      rejection === undefined
        ? null
        : { since: formatTimestamp(rejection.since), problem: summarizeProblems(rejection.problems) },
  };
}

/** Adds what other replicas report of the clusters that they own. */
export function mergeGuardReports(
  own: GuardReport,
  { answers, missing }: GuardAnswers,
  compareClusters: (one: string, other: string) => number,
): GuardReport {
  const all = [...answers, { clusters: undefined, items: [own] }];
  const isAnswered = (cluster: string) => answers.some(({ clusters }) => clusters.has(cluster));
  const merge = <Part extends { readonly cluster: string }>(part: (report: GuardReport) => readonly Part[]) =>
    all
      .flatMap(({ clusters, items }) =>
        items.flatMap(part).filter(({ cluster }) => clusters?.has(cluster) ?? !isAnswered(cluster)),
      )
      .toSorted((one, other) => compareClusters(one.cluster, other.cluster));
  return {
    ...own,
    ...pauseOfAll(merge(({ clusters }) => clusters)),
    budgets: merge(({ budgets }) => budgets),
    breakers: merge(({ breakers }) => breakers),
    readiness: merge(({ readiness }) => readiness),
    ...(missing.length > 0 && { missing }),
  };
}

/** Reports of other replicas, each with the clusters for which it counts. */
interface GuardAnswers {
  readonly answers: readonly { readonly clusters: ReadonlySet<string>; readonly items: readonly GuardReport[] }[];
  readonly missing: readonly MissingClusters[];
}

/** Returns the pause of the guard of each cluster, and the pauses that hold for all clusters. */
export function reportPause(control: Pick<GuardControl, 'paused'>, clusters: readonly string[]): PauseReport {
  const pauses = clusters.map((cluster) => {
    const { isPaused, reasons } = control.paused(cluster);
    return { cluster, paused: isPaused, reasons };
  });
  return pauseOfAll(pauses);
}

function pauseOfAll(clusters: PauseReport['clusters']): PauseReport {
  return {
    paused: clusters.every(({ paused }) => paused),
    reasons: pauseReasons.filter((reason) => clusters.every(({ reasons }) => reasons.includes(reason))),
    clusters,
  };
}

/** Returns an abort in a cluster as the API shows it. */
export function reportAbort(cluster: string, view: AbortView): AbortReport {
  const { key, node, id, graph, query, policy, manual, age, grantedTimeout, at, outcome, endedAt } = view;
  return {
    key,
    cluster,
    node,
    id,
    graph,
    query,
    policy,
    manual: manual === undefined ? null : { by: manual.by, reason: manual.reason },
    ageSeconds: toSeconds(age),
    grantedTimeoutSeconds: grantedTimeout === undefined ? null : toSeconds(grantedTimeout),
    at: formatTimestamp(at),
    outcome: outcome ?? null,
    endedAt: endedAt === undefined ? null : formatTimestamp(endedAt),
  };
}

/** Returns a decision as the API shows it. */
export function reportDecision(view: DecisionView): DecisionReport {
  const { mode, phase, skipReason, late } = view;
  return { ...reportAbort(view.cluster, view), mode, phase, skipReason: skipReason ?? null, delayReason: late ?? null };
}
