import { formatDuration } from '../../kernel/duration.ts';
import type { Millis } from '../../kernel/time.ts';
import { wallTimeText } from '../../kernel/weekly-hours.ts';
import type { NotReadyReason } from '../../model/not-ready.ts';
import { windowTiming } from '../active-window.ts';
import type { Candidate } from '../candidate.ts';
import { type ConditionResult, compileProtection, conditionResults } from '../conditions.ts';
import { groupPhrase, pressureText, windowPhrase } from '../explain-phrases.ts';
import { gateSince } from '../gates.ts';
import { groupKeyOf, groupText } from '../groups.ts';
import { groupOf, type Match } from '../matcher.ts';
import { effectiveMode, type GateClause, type Mode, type Policy, policiesByPrecedence } from '../policy.ts';
import { pressureKey } from './circuit-breakers.ts';
import type { Decision } from './decision.ts';
import { type Hold, type HoldContext, holdOf } from './hold.ts';
import { matchableList } from './matchable-list.ts';
import type { ValidList } from './node-view.ts';
import { notReadyReasonsOf } from './readiness.ts';
import type { GuardState } from './state.ts';
import { activeDecisionFinder, matchInputFor, matchPolicies } from './victim-selection.ts';

/** Result of one condition, with the section of the policy that has it. */
export interface ExplainedCondition extends ConditionResult {
  readonly section: 'when' | 'unless' | 'gate' | 'active' | 'group';
}

/** Evaluation of one policy for a query. Times are on the monotonic clock. */
export interface PolicyExplanation {
  readonly policy: Policy;
  /** Effective mode. */
  readonly mode: Mode;
  readonly conditions: readonly ExplainedCondition[];
  /** Current or future match; undefined if the policy never matches the query. */
  readonly match: Match | undefined;
  /** Lists that count towards the confirmation of the query. */
  readonly observations: number;
  readonly decision: Decision | undefined;
  readonly hold: Hold | undefined;
  /** Reasons why the policy cannot abort any query on the node. */
  readonly notReady: readonly NotReadyReason[];
}

/** State and policies of one query of a node. */
export interface QueryExplanation {
  /** `skipped`: its entry in the latest list is malformed, or its times disagree; `no_list`: there is no recent list. */
  readonly listing: 'listed' | 'skipped' | 'not_listed' | 'no_list';
  /** Arrival of the latest list with the query, on the monotonic clock; undefined if it is no longer retained. */
  readonly listedAt: Millis | undefined;
  /** Undefined unless `listing` is `listed`. */
  readonly candidate: Candidate | undefined;
  /** Entries of `protect` that protect it. */
  readonly protections: readonly (readonly ConditionResult[])[];
  /** Policies of the cluster by precedence: those that enforce first. */
  readonly policies: readonly PolicyExplanation[];
}

interface ExplainContext extends HoldContext {
  /** State with the matches of this instant. */
  readonly state: GuardState;
}

/** Explains what the guard does with a query, with the same tests and steps as its decisions. */
export function explainQuery(node: string, id: string, before: GuardState, context: HoldContext): QueryExplanation {
  const state = matchPolicies(before, context);
  const view = state.views.get(node);
  const list = view && matchableList(view, context);
  const candidate = list?.candidates.get(id);
  const { protect } = context.settings;
  return {
    listing: list === undefined ? 'no_list' : listingIn(list, id),
    listedAt: view?.list?.candidates.get(id)?.at ?? view?.histories.get(id)?.last.received.mono,
    candidate,
    protections:
      candidate === undefined
        ? []
        : protect
            .filter((one) => compileProtection([one])(candidate))
            .map((one) => conditionResults(one, candidate, context.now.mono)),
    policies:
      candidate === undefined
        ? []
        : policiesByPrecedence(context.settings, context.cluster).map((policy) =>
            explainPolicy(policy, candidate, { ...context, state }),
          ),
  };
}

function listingIn({ candidates, ids }: ValidList, id: string): QueryExplanation['listing'] {
  if (candidates.has(id)) return 'listed';
  return ids.has(id) ? 'skipped' : 'not_listed';
}

function explainPolicy(policy: Policy, candidate: Candidate, context: ExplainContext): PolicyExplanation {
  const { state, settings, confirmSettings, now } = context;
  const isOwn = (one: Match) => one.policy === policy && one.candidate === candidate;
  const match = [...state.matches, ...state.upcoming].find(isOwn);
  const histories = state.views.get(candidate.node)?.histories.get(candidate.observation.id);
  const decision = match && activeDecisionFinder(state)(match);
  return {
    policy,
    mode: effectiveMode(settings, policy),
    conditions: policyConditions(policy, candidate, context),
    match,
    observations: histories?.counts[confirmSettings.indexOf(policy.confirm)]?.observations ?? 0,
    decision: decision?.policy === policy.name ? decision : undefined,
    hold: match !== undefined && (match.owns || !match.holds) ? holdOf(match, state, context) : undefined,
    notReady: notReadyReasonsOf(policy, candidate.node, state, { ...context, now: now.mono }),
  };
}

function policyConditions(
  policy: Policy,
  candidate: Candidate,
  context: ExplainContext,
): readonly ExplainedCondition[] {
  const { when, unless = {}, gate } = policy;
  const mono = context.now.mono;
  return [
    ...conditionResults(when, candidate, mono).map((one) => ({ section: 'when', ...one }) as const),
    ...conditionResults(unless, candidate, mono).map((one) => ({ section: 'unless', ...one }) as const),
    ...(gate?.clauses ?? []).map((clause) => gateResult(clause, candidate, context)),
    ...activeResult(policy, context),
    ...groupResult(policy, candidate, context),
  ];
}

function gateResult(clause: GateClause, { node }: Candidate, { state, now }: ExplainContext): ExplainedCondition {
  const { source, bound } = clause;
  const { value } = state.pressures.get(pressureKey(node, source)) ?? {};
  return {
    section: 'gate',
    name: source,
    wanted: `${bound.operator} ${pressureText(source, bound.value)} for ${formatDuration(clause.for)}`,
    seen: value === undefined ? undefined : pressureText(source, value),
    holds: value === undefined ? undefined : gateSince(state.gates, { node, clause, now: now.mono }) !== undefined,
  };
}

function activeResult({ active }: Policy, { now }: ExplainContext): readonly ExplainedCondition[] {
  if (active === undefined) return [];
  const holds = windowTiming(active, now.wall)?.holds === true;
  const seen = wallTimeText(active.zone, now.wall);
  return [{ section: 'active', name: 'time', wanted: windowPhrase(active), seen, holds }];
}

function groupResult(policy: Policy, candidate: Candidate, context: ExplainContext): readonly ExplainedCondition[] {
  const { state, isProtected } = context;
  if (policy.group === undefined) return [];
  const situation = matchInputFor(state, context);
  return [
    {
      section: 'group',
      name: policy.group.by.join('/'),
      wanted: groupPhrase(policy.group),
      seen: groupText(groupOf(candidate, policy, { ...situation, isProtected }), situation.listedAt),
      holds: state.groups.has(groupKeyOf(policy, candidate)),
    },
  ];
}
