import { lateReasons } from '../guard/decision/decision.ts';
import { isBlind } from '../guard/decision/view.ts';
import { effectiveMode } from '../guard/mode.ts';

import { type Instant, inSeconds } from '../kernel/time.ts';
import { distributionSamples } from '../metric/distribution.ts';
import { counter, gauge, histogram, type Metric, type Sample, sample } from '../metric/metric.ts';
import { abortOutcomes } from '../model/abort-outcomes.ts';
import type { ClusterGuard } from './cluster-guard.ts';
import type { PauseView } from './guard-control.ts';
import { pauseReasons } from './guard-schemas.ts';
import { doubts } from './guard-tally.ts';

const source = 'measured by us';

const mode = gauge({
  name: 'graphwarden_guard_mode',
  help: 'The mode that a policy is in effectively: the safer of its own and that of the guard.',
  labels: ['policy', 'mode'],
  source,
});
const matches = counter({
  name: 'graphwarden_guard_matches_total',
  help: 'Queries that a policy matched when they were confirmed, each counted once; the first policy that matches owns a query.',
  labels: ['policy', 'node'],
  source,
});
const wouldAbort = counter({
  name: 'graphwarden_guard_would_abort_total',
  help: 'Queries that a policy would have aborted, had it not observed only.',
  labels: ['policy', 'node'],
  source,
});
const attempts = counter({
  name: 'graphwarden_guard_abort_attempts_total',
  help: 'Calls that ask a node to abort one query; the policy is empty where an operator asked by hand.',
  labels: ['policy', 'node'],
  source,
});
const outcomes = counter({
  name: 'graphwarden_guard_outcomes_total',
  help: 'How aborts ended, by what the node answered and what its lists said afterwards.',
  labels: ['policy', 'node', 'outcome'],
  source,
});
const reactions = histogram({
  name: 'graphwarden_guard_reaction_seconds',
  help: 'From the earliest instant that a policy allowed to the call that aborts.',
  labels: ['policy', 'node'],
  source,
});
const late = counter({
  name: 'graphwarden_guard_late_total',
  help: 'Decisions that were held up after the earliest instant that their policy allowed, by the first reason.',
  labels: ['policy', 'node', 'reason'],
  source,
});
const breakers = gauge({
  name: 'graphwarden_guard_breaker_open',
  help: 'Whether a breaker is open until an operator resets it: of a policy that brings no relief, or, with an empty policy, of a query that comes back again and again.',
  labels: ['policy', 'reason', 'graph', 'query'],
  source,
});
const voids = counter({
  name: 'graphwarden_guard_void_total',
  help: 'How often the guard left out an entry of a list, the whole list of a node, or all that it knew, by reason.',
  labels: ['node', 'scope', 'reason'],
  source,
});
const blind = gauge({
  name: 'graphwarden_guard_blind',
  help: 'Whether three lists of a node in a row said nothing: nothing is aborted there.',
  labels: ['node'],
  source,
});
const lists = gauge({
  name: 'graphwarden_guard_list_duration_seconds',
  help: 'How long the latest list of a node took, good or not.',
  labels: ['node'],
  source,
});
const covered = gauge({
  name: 'graphwarden_guard_node_covered',
  help: 'Whether the lists of the node come from an instance that is surely its own, and the latest one is good and not too old.',
  labels: ['node'],
  source,
});
const remaining = gauge({
  name: 'graphwarden_guard_budget_remaining',
  help: 'Aborts that there is room for: in the whole cluster, and on the node that has the least.',
  labels: ['budget'],
  source,
});
const exhausted = counter({
  name: 'graphwarden_guard_budget_exhausted_total',
  help: 'Decisions that had to wait because a budget had no room.',
  labels: ['budget'],
  source,
});
const paused = gauge({
  name: 'graphwarden_guard_paused',
  help: 'Whether the guard holds still, for whatever reason.',
  source,
});
const pausedBy = gauge({
  name: 'graphwarden_guard_paused_by',
  help: 'Why the guard holds still: 1 for each reason that there is, 0 for the others.',
  labels: ['reason'],
  source,
});

/** The families in which the guard tells what it sees and does. */
export const guardMetrics: readonly Metric[] = [
  mode,
  matches,
  wouldAbort,
  attempts,
  outcomes,
  reactions,
  late,
  breakers,
  voids,
  blind,
  lists,
  covered,
  remaining,
  exhausted,
  paused,
  pausedBy,
];

/** What the guard shows of itself as a whole. */
export function pauseSamples({ isPaused, reasons }: PauseView): readonly Sample[] {
  const by = pauseReasons.map((reason) => sample(pausedBy, { reason }, reasons.includes(reason) ? 1 : 0));
  return [sample(paused, {}, isPaused ? 1 : 0), ...by];
}

/** What the guard shows of one cluster. */
export function* guardSamples(guard: ClusterGuard, nodes: readonly string[], now: Instant): Generator<Sample> {
  yield* policySamples(guard, nodes);
  yield* breakerSamples(guard);
  for (const node of nodes) yield* nodeSamples(guard, node, now);
  const { tally } = guard;
  yield sample(
    voids,
    { node: '', scope: 'all', reason: 'clock_stepped' },
    tally.count('void', '', 'all', 'clock_stepped'),
  );
  const room = guard.room(now);
  for (const budget of ['cluster', 'node'] as const) {
    yield sample(remaining, { budget }, Math.max(0, room[budget]));
    yield sample(exhausted, { budget }, tally.count('exhausted', budget));
  }
}

function* policySamples(guard: ClusterGuard, nodes: readonly string[]): Generator<Sample> {
  const { tally, policies, settings } = guard;
  for (const policy of policies) {
    const own = effectiveMode(settings.guard, policy);
    for (const one of ['observe', 'enforce'] as const) {
      yield sample(mode, { policy: policy.name, mode: one }, own === one ? 1 : 0);
    }
    for (const node of nodes) yield* countSamples(guard, { policy: policy.name, node }, own === 'enforce');
  }
  const byHand = [...tally.all('attempt'), ...tally.all('late')].filter(({ labels: [policy] }) => policy === '');
  for (const node of new Set(byHand.map(({ labels }) => labels[1] ?? ''))) {
    yield* countSamples(guard, { policy: '', node }, true);
  }
}

/** What aborts bring is there from the start, for an increase from nothing is none; but not of policies that abort nothing. */
function* countSamples(
  { tally }: ClusterGuard,
  labels: { readonly policy: string; readonly node: string },
  mayAbort: boolean,
): Generator<Sample> {
  const { policy, node } = labels;
  yield sample(matches, labels, tally.count('match', policy, node));
  yield sample(wouldAbort, labels, tally.count('would_abort', policy, node));
  yield sample(attempts, labels, tally.count('attempt', policy, node));
  if (!mayAbort) return;
  for (const outcome of abortOutcomes) {
    yield sample(outcomes, { ...labels, outcome }, tally.count('outcome', policy, node, outcome));
  }
  for (const reason of lateReasons) {
    yield sample(late, { ...labels, reason }, tally.count('late', policy, node, reason));
  }
  if (policy !== '') yield* distributionSamples(reactions, labels, tally.reactions(policy, node));
}

function* breakerSamples(guard: ClusterGuard): Generator<Sample> {
  const open = guard.breakers();
  const again = open.filter(({ reason }) => reason === 'same_query');
  const none = { policy: '', reason: 'same_query', graph: '', query: '' };
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
  yield sample(covered, { node }, guard.isCovered(node, now) ? 1 : 0);
  yield sample(blind, { node }, view !== undefined && isBlind(view) ? 1 : 0);
  if (view !== undefined) yield sample(lists, { node }, inSeconds(view.pace.duration));
  for (const { scope, reason } of doubts) {
    if (scope !== 'all') yield sample(voids, { node, scope, reason }, guard.tally.count('void', node, scope, reason));
  }
}
