import { pauseReasons } from '../../api/guard.ts';
import { lateReasons } from '../../guard/decision/decision.ts';
import { isBlind } from '../../guard/decision/node-view.ts';
import { effectiveMode } from '../../guard/policy.ts';
import { type Instant, toSeconds } from '../../kernel/time.ts';
import { histogramSamples } from '../../metric/histogram-state.ts';
import { counter, gauge, histogram, type Metric, type Sample, sample } from '../../metric/metric.ts';
import { abortOutcomes, unsentSince } from '../../model/guard.ts';
import type { ClusterGuard } from './cluster-guard.ts';
import type { PauseView } from './guard-control.ts';
import { countedSkips } from './guard-counters.ts';
import { isNodeCovered } from './query-guard-status.ts';

const source = 'measured by graphwarden';

const mode = gauge({
  name: 'graphwarden_guard_mode',
  help: 'Effective mode of the policy: observe if the policy or the guard is in observe mode, otherwise enforce.',
  labels: ['policy', 'mode'],
  source,
});
const matches = counter({
  name: 'graphwarden_guard_matches_total',
  help: 'Confirmed queries that matched a policy; a query is counted once, for the first policy that matches.',
  labels: ['policy', 'node'],
  source,
});
const wouldAbort = counter({
  name: 'graphwarden_guard_would_abort_total',
  help: 'Queries that a policy in mode observe would have aborted.',
  labels: ['policy', 'node'],
  source,
});
const attempts = counter({
  name: 'graphwarden_guard_abort_attempts_total',
  help: 'Abort requests sent to nodes; the policy is empty for manual aborts.',
  labels: ['policy', 'node'],
  source,
});
const outcomes = counter({
  name: 'graphwarden_guard_outcomes_total',
  help: 'Finished aborts by outcome.',
  labels: ['policy', 'node', 'outcome'],
  source,
});
const unsent = gauge({
  name: 'graphwarden_guard_unsent_abort_seconds',
  help: 'Time since the first attempt at an abort whose request could not be sent; the longest of several, absent if there is none.',
  labels: ['policy', 'node'],
  source,
});
const reactions = histogram({
  name: 'graphwarden_guard_reaction_seconds',
  help: 'Time from the earliest abort time to the abort request.',
  labels: ['policy', 'node'],
  source,
});
const late = counter({
  name: 'graphwarden_guard_late_decisions_total',
  help: 'Decisions whose abort request was not sent at the earliest abort time, by reason; counted once for each reason.',
  labels: ['policy', 'node', 'reason'],
  source,
});
const breakers = gauge({
  name: 'graphwarden_guard_breaker_open',
  help: 'Whether a circuit breaker is open (1) or not (0); an operator must reset it.',
  labels: ['policy', 'reason', 'graph', 'query'],
  source,
});
const skips = counter({
  name: 'graphwarden_guard_skips_total',
  help: 'Entries and process lists that the guard skipped, by scope and skip reason.',
  labels: ['node', 'scope', 'reason'],
  source,
});
const blind = gauge({
  name: 'graphwarden_guard_blind',
  help: 'Whether the last three process lists of the node were rejected (1) or not (0); the guard aborts no query on such a node.',
  labels: ['node'],
  source,
});
const listDurations = gauge({
  name: 'graphwarden_guard_list_duration_seconds',
  help: 'Duration of the latest list request to the node, until its response, failure or timeout.',
  labels: ['node'],
  source,
});
const covered = gauge({
  name: 'graphwarden_guard_node_covered',
  help: 'Whether the guard covers the node (1) or not (0).',
  labels: ['node'],
  source,
});
const ready = gauge({
  name: 'graphwarden_guard_ready',
  help: 'Whether the policy can abort queries on the node (1) or not (0, with the reason), apart from its mode.',
  labels: ['policy', 'node', 'reason'],
  source,
});
const held = gauge({
  name: 'graphwarden_guard_held_queries',
  help: 'Matching queries past their earliest abort time that wait for a budget, a cooldown or other aborts.',
  labels: ['policy', 'node'],
  source,
});
const remaining = gauge({
  name: 'graphwarden_guard_budget_remaining',
  help: 'Aborts left in the budget of the cluster, and in the budget of the node with the fewest left.',
  labels: ['budget'],
  source,
});
const exhausted = counter({
  name: 'graphwarden_guard_budget_exhausted_total',
  help: 'Decisions that were delayed because a budget was exhausted.',
  labels: ['budget'],
  source,
});
const paused = gauge({
  name: 'graphwarden_guard_paused',
  help: 'Whether the guard of the cluster is paused (1) or not (0).',
  source,
});
const pausedBy = gauge({
  name: 'graphwarden_guard_paused_by',
  help: 'Reasons why the guard of the cluster is paused: 1 for each active reason, 0 for the others.',
  labels: ['reason'],
  source,
});

/** Metric families of the guard. */
export const guardMetrics: readonly Metric[] = [
  mode,
  matches,
  wouldAbort,
  attempts,
  outcomes,
  unsent,
  reactions,
  late,
  breakers,
  skips,
  blind,
  listDurations,
  covered,
  ready,
  held,
  remaining,
  exhausted,
  paused,
  pausedBy,
];

/** Returns the samples of the pause of the guard of a cluster. */
export function pauseSamples({ isPaused, reasons }: PauseView): readonly Sample[] {
  const by = pauseReasons.map((reason) => sample(pausedBy, { reason }, reasons.includes(reason) ? 1 : 0));
  return [sample(paused, {}, isPaused ? 1 : 0), ...by];
}

/** Returns the samples of the guard of one cluster. */
export function* guardSamples(guard: ClusterGuard, nodes: readonly string[], now: Instant): Generator<Sample> {
  yield* policySamples(guard, nodes);
  yield* breakerSamples(guard);
  yield* unsentSamples(guard, now);
  for (const node of nodes) yield* nodeSamples(guard, node, now);
  for (const { policy, node, reasons, held: count } of guard.readiness(now)) {
    yield sample(ready, { policy, node, reason: reasons[0] ?? '' }, reasons.length === 0 ? 1 : 0);
    yield sample(held, { policy, node }, count);
  }
  const { counters } = guard;
  yield sample(
    skips,
    { node: '', scope: 'all', reason: 'clock_stepped' },
    counters.count('skipped', '', 'all', 'clock_stepped'),
  );
  const left = guard.budgets(now);
  for (const budget of ['cluster', 'node'] as const) {
    const own = left.filter(({ node }) => (node === '') === (budget === 'cluster')).map((one) => one.left);
    yield sample(remaining, { budget }, own.length === 0 ? guard.settings.guard.budgets.perNode.max : Math.min(...own));
    yield sample(exhausted, { budget }, counters.count('exhausted', budget));
  }
}

function* unsentSamples(guard: ClusterGuard, now: Instant): Generator<Sample> {
  const unsentAborts = guard.view(now).aborts.flatMap((abort) => {
    const since = unsentSince(abort, now.wall);
    return since === undefined ? [] : [{ ...abort, since }];
  });
  for (const aborts of Map.groupBy(unsentAborts, ({ policy, node }) => JSON.stringify([policy, node])).values()) {
    const since = Math.min(...aborts.map((abort) => abort.since));
    for (const { policy, node } of aborts.slice(0, 1)) {
      yield sample(unsent, { policy, node }, toSeconds(Math.max(0, now.wall - since)));
    }
  }
}

function* policySamples(guard: ClusterGuard, nodes: readonly string[]): Generator<Sample> {
  const { counters, policies, settings } = guard;
  for (const policy of policies) {
    const own = effectiveMode(settings.guard, policy);
    for (const one of ['observe', 'enforce'] as const) {
      yield sample(mode, { policy: policy.name, mode: one }, own === one ? 1 : 0);
    }
    for (const node of nodes) yield* countSamples(guard, { policy: policy.name, node }, own === 'enforce');
  }
  const manual = [...counters.all('attempt'), ...counters.all('late')].filter(({ labels: [policy] }) => policy === '');
  const manualNodes = new Set(manual.map(({ labels }) => labels[1] ?? ''));
  for (const node of manualNodes) yield* countSamples(guard, { policy: '', node }, true);
  // One series per node, so that the first manual abort is an increase.
  for (const node of nodes) if (!manualNodes.has(node)) yield sample(attempts, { policy: '', node }, 0);
}

/** Series of aborts start at 0, so that the first abort is an increase; policies that cannot abort have none. */
function* countSamples(
  { counters }: ClusterGuard,
  labels: { readonly policy: string; readonly node: string },
  mayAbort: boolean,
): Generator<Sample> {
  const { policy, node } = labels;
  yield sample(matches, labels, counters.count('match', policy, node));
  yield sample(wouldAbort, labels, counters.count('would_abort', policy, node));
  yield sample(attempts, labels, counters.count('attempt', policy, node));
  if (!mayAbort) return;
  for (const outcome of abortOutcomes) {
    yield sample(outcomes, { ...labels, outcome }, counters.count('outcome', policy, node, outcome));
  }
  for (const reason of lateReasons) {
    yield sample(late, { ...labels, reason }, counters.count('late', policy, node, reason));
  }
  if (policy !== '') yield* histogramSamples(reactions, labels, counters.reactions(policy, node));
}

function* breakerSamples(guard: ClusterGuard): Generator<Sample> {
  const open = guard.breakers();
  const again = open.filter(({ reason }) => reason === 'same_query');
  const isRefused = open.some(({ reason }) => reason === 'credential');
  const none = { policy: '', reason: 'same_query', graph: '', query: '' };
  yield sample(breakers, { ...none, reason: 'credential' }, isRefused ? 1 : 0);
  if (again.length === 0) yield sample(breakers, none, 0);
  for (const { graph, query } of again) yield sample(breakers, { ...none, graph, query }, 1);
  for (const { name: policy, gate } of guard.policies) {
    if (gate === undefined) continue;
    const isOpen = open.some((one) => one.reason === 'no_relief' && one.policy === policy);
    yield sample(breakers, { policy, reason: 'no_relief', graph: '', query: '' }, isOpen ? 1 : 0);
  }
}

function* nodeSamples(guard: ClusterGuard, node: string, now: Instant): Generator<Sample> {
  const view = guard.state.views.get(node);
  yield sample(covered, { node }, isNodeCovered(guard, node, now) ? 1 : 0);
  yield sample(blind, { node }, view !== undefined && isBlind(view) ? 1 : 0);
  if (view !== undefined) yield sample(listDurations, { node }, toSeconds(view.pace.duration));
  for (const { scope, reason } of countedSkips) {
    if (scope !== 'all')
      yield sample(skips, { node, scope, reason }, guard.counters.count('skipped', node, scope, reason));
  }
}
