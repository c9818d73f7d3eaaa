import { isTentative } from '../../guard/decision/decision.ts';
import { notReadyReasonsOf, type ReadinessContext } from '../../guard/decision/readiness.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import { effectiveMode, type GuardSettings, type Mode, type Policy } from '../../guard/policy.ts';
import type { Instant } from '../../kernel/time.ts';
import type { NotReadyView } from '../../model/guard.ts';
import type { NotReadyReason } from '../../model/not-ready.ts';

/** Whether a policy can abort queries on a node. */
export interface PolicyReadiness {
  readonly policy: string;
  /** Effective mode. */
  readonly mode: Mode;
  readonly node: string;
  /** Why it cannot, most important reason first; empty if it can. */
  readonly reasons: readonly NotReadyReason[];
  /** Matching queries past their earliest abort time that wait for a budget, a cooldown or other aborts. */
  readonly held: number;
  /** When it ceased to be ready, ms since the epoch; undefined while it is ready. */
  readonly since: number | undefined;
  /** The page about it; undefined while it does not page. */
  readonly page: ReadinessPage | undefined;
}

interface ReadinessPage {
  /** `''` if the reason holds for the whole cluster. */
  readonly node: string;
  /** Since when the reason pages, ms since the epoch. */
  readonly since: number;
}

/** The parts of the guard of a cluster that readiness depends on. */
export interface ReadinessSource {
  readonly state: GuardState;
  readonly policies: readonly Policy[];
  readonly settings: Pick<ReadinessContext, 'isPolled' | 'interval'> & {
    readonly guard: GuardSettings;
    readonly nodes: readonly string[];
  };
}

/** Reasons that hold for all nodes of the cluster. */
const clusterReasons: ReadonlySet<NotReadyReason> = new Set([
  'state_not_loaded',
  'collector_off',
  'graphs_unknown',
  'credential_missing',
  'cluster_budget',
]);
/**
 * Reasons with an alert of their own: `guard_paused`, `state_not_durable`, `guard_blind`, `guard_breaker_open`, and the alerts
 * about collectors and informants for the values of gates.
 */
const reportedElsewhere: ReadonlySet<NotReadyReason> = new Set([
  'paused',
  'state_not_durable',
  'list_failed',
  'credential_refused',
  'breaker_open',
  'gate_unknown',
]);
/** A spent budget is normal until a query waits for it. */
const budgetReasons: ReadonlySet<NotReadyReason> = new Set(['cluster_budget', 'node_budget']);

/** Records since when each policy of a cluster cannot abort queries on each node. */
export class GuardReadiness {
  readonly #since = new Map<string, number>();

  /** Returns the readiness of every policy on every node. */
  report(guard: ReadinessSource, now: Instant, lacksCredentials = false): readonly PolicyReadiness[] {
    const { state, settings, policies } = guard;
    const context = {
      settings: settings.guard,
      isPolled: settings.isPolled,
      lacksCredentials,
      interval: settings.interval,
      now: now.mono,
    };
    const known = new Set<string>();
    const sinceOf = (...key: readonly string[]): number => {
      const text = JSON.stringify(key);
      const since = this.#since.get(text) ?? now.wall;
      known.add(text);
      this.#since.set(text, since);
      return since;
    };
    const all = policies.flatMap((policy) =>
      settings.nodes.map((node): PolicyReadiness => {
        const reasons = notReadyReasonsOf(policy, node, state, context);
        const mode = effectiveMode(settings.guard, policy);
        const held = countHeld(state, { policy: policy.name, node, now });
        const pageOf = pageNode({ mode, node, reasons, held });
        const since = reasons.length === 0 ? undefined : sinceOf(policy.name, node);
        const page = pageOf === undefined ? undefined : { node: pageOf, since: sinceOf(policy.name, node, pageOf) };
        return { policy: policy.name, mode, node, reasons, held, since, page };
      }),
    );
    for (const key of this.#since.keys()) if (!known.has(key)) this.#since.delete(key);
    return all;
  }
}

/** Returns the node of the page about a policy; `''` if the reason holds for the cluster, undefined without a page. */
function pageNode({
  mode,
  node,
  reasons: [reason],
  held,
}: Pick<PolicyReadiness, 'mode' | 'node' | 'reasons' | 'held'>): string | undefined {
  if (mode === 'observe' || reason === undefined || reportedElsewhere.has(reason)) return undefined;
  if (budgetReasons.has(reason) && held === 0) return undefined;
  return clusterReasons.has(reason) ? '' : node;
}

/** Returns what pages: enforcing policies that cannot act, by node and reason. A reason of the cluster has node `''`. */
export function notReadyViews(readiness: readonly PolicyReadiness[]): readonly NotReadyView[] {
  const missing = readiness.flatMap((one) => {
    const [reason] = one.reasons;
    return one.page === undefined || reason === undefined ? [] : [{ ...one.page, reason, policy: one.policy }];
  });
  return [...Map.groupBy(missing, ({ node }) => node)].map(([node, group]) => ({
    node,
    reasons: [...new Set(group.map(({ reason }) => reason))],
    policies: [...new Set(group.map(({ policy }) => policy))],
    since: Math.min(...group.map(({ since }) => since)),
  }));
}

function countHeld(
  { decisions }: Pick<GuardState, 'decisions'>,
  { policy, node, now }: { readonly policy: string; readonly node: string; readonly now: Instant },
): number {
  return [...decisions.values()].filter(
    (one) => one.policy === policy && one.target.node === node && isTentative(one) && one.due <= now.mono,
  ).length;
}
