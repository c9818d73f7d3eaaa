import { effectiveMode } from '../guard/mode.ts';
import type { GuardSettings, Mode } from '../guard/policy.ts';
import { inSeconds } from '../kernel/time.ts';
import type { AbortOutcome, AbortView, BreakerView } from '../model/guard.ts';
import type { DecisionView, GuardControl, PauseReason } from './guard-control.ts';

/** One abort as the API tells of it, from its intent on. */
export interface AbortReport {
  readonly key: string;
  readonly cluster: string;
  readonly node: string;
  readonly id: string;
  readonly graph: string;
  readonly query: string;
  /** `''` where somebody asked by hand. */
  readonly policy: string;
  readonly manual: { readonly by: string; readonly reason: string } | null;
  /** How long it had run when it was decided. */
  readonly ageSeconds: number;
  readonly grantedTimeoutSeconds: number | null;
  readonly at: string;
  /** Null while that is open. */
  readonly outcome: AbortOutcome | null;
  readonly endedAt: string | null;
}

/** One decision: an abort, or what is on its way to be one, or what would have been one. */
export interface DecisionReport extends AbortReport {
  readonly mode: DecisionView['mode'];
  readonly phase: DecisionView['phase'];
  readonly doubt: string | null;
  readonly late: string | null;
}

/** A breaker that is open. */
export interface BreakerReport extends Omit<BreakerView, 'since'> {
  readonly cluster: string;
  readonly since: string;
}

/** How the guard stands. */
export interface GuardReport {
  readonly paused: boolean;
  readonly reasons: readonly PauseReason[];
  readonly mode: Mode;
  /** What the modes of guard and policy come to. */
  readonly policies: readonly { readonly name: string; readonly mode: Mode }[];
  readonly breakers: readonly BreakerReport[];
}

/** How the guard stands, over all clusters. */
export function reportGuard(
  control: Pick<GuardControl, 'paused' | 'breakers'>,
  guard: GuardSettings,
  clusters: readonly string[],
): GuardReport {
  const { isPaused, reasons } = control.paused();
  return {
    paused: isPaused,
    reasons,
    mode: guard.mode,
    policies: guard.policies.map((policy) => ({ name: policy.name, mode: effectiveMode(guard, policy) })),
    breakers: clusters.flatMap((cluster) =>
      control.breakers(cluster).map((one) => ({ cluster, ...one, since: isoTime(one.since) })),
    ),
  };
}

/** An abort in a cluster. */
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
    ageSeconds: inSeconds(age),
    grantedTimeoutSeconds: grantedTimeout === undefined ? null : inSeconds(grantedTimeout),
    at: isoTime(at),
    outcome: outcome ?? null,
    endedAt: endedAt === undefined ? null : isoTime(endedAt),
  };
}

/** A decision. */
export function reportDecision(view: DecisionView): DecisionReport {
  const { mode, phase, doubt, late } = view;
  return { ...reportAbort(view.cluster, view), mode, phase, doubt: doubt ?? null, late: late ?? null };
}

function isoTime(wall: number): string {
  return new Date(wall).toISOString();
}
