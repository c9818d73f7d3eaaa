import type { Candidate } from '../candidate.ts';
import { confirmedAt } from '../confirmation.ts';
import { instanceOf } from '../instances.ts';
import { staleness } from '../listing.ts';
import type { Match } from '../matcher.ts';
import { effectiveMode } from '../mode.ts';
import { abortPath } from './abort-path.ts';
import { policyBreaker, queryBreaker } from './breakers.ts';
import type { ByHand, Decision, Doubt } from './decision.ts';
import type { Context, GuardState, Standing } from './state.ts';

/** What the checks look at. */
export interface Question {
  readonly decision: Decision;
  readonly state: GuardState;
  readonly context: Context;
  /** Of the latest good list of its node. */
  readonly candidate: Candidate | undefined;
  readonly match: Match | undefined;
}

type Check<Given> = readonly [doubt: Doubt, fails: (given: Given) => boolean];

const standingChecks: readonly Check<Standing>[] = [
  ['not_restored', ({ isRestored }) => !isRestored],
  ['paused', ({ isPaused }) => isPaused],
  ['audit', ({ isAuditable }) => !isAuditable],
  ['stopping', ({ isStopping }) => isStopping],
];

/** All has to be well, when a decision is about to begin, before its intent, and once more beside the call. */
const checks: readonly Check<Question>[] = [
  [
    'mode',
    ({ decision, match, context }) => modeOf(decision.policy, context) !== decision.mode || isOther(match, decision),
  ],
  ['not_listed', ({ candidate, decision }) => candidate?.sighting.startTime !== decision.target.startTime],
  ['not_covered', (question) => !isCovered(question)],
  // Whatever made it be confirmed anew meanwhile, as when our clock was set, its grace has not begun again.
  ['unconfirmed', (question) => (confirmationOf(question) ?? Number.POSITIVE_INFINITY) > question.decision.matchedAt],
  ['not_installed', ({ candidate }) => candidate?.sighting.kind !== 'installed'],
  ['protected', ({ candidate, context }) => candidate === undefined || context.isProtected(candidate)],
  ['not_matched', ({ match, decision }) => match?.owns !== true || match.policy.name !== decision.policy],
  [
    'unknown_graph',
    ({ candidate, state }) => candidate === undefined || !abortPath(candidate.sighting, state.graphs).ok,
  ],
  ['breaker', ({ decision, state }) => isBroken(decision, state)],
];

/** What an operator who asks by hand takes upon himself. Beside it stands only the pause, where he says so. */
const taken: ReadonlySet<Doubt> = new Set(['mode', 'unconfirmed', 'protected', 'not_matched', 'breaker']);

/** The first reason not to go on with a decision, if there is one. */
export function doubtOf(question: Question): Doubt | undefined {
  const { manual } = question.decision;
  const doubt = standingDoubtOf(question.state.standing, manual);
  if (doubt !== undefined) return doubt;
  return checks.find(([one, fails]) => !(manual !== undefined && taken.has(one)) && fails(question))?.[0];
}

/** Why the guard as a whole does nothing now, for a policy or for an operator. */
export function standingDoubtOf(standing: Standing, manual: Pick<ByHand, 'whilePaused'> | undefined) {
  const isHeard = (doubt: Doubt) => doubt !== 'paused' || manual?.whilePaused !== true;
  return standingChecks.find(([doubt, fails]) => isHeard(doubt) && fails(standing))?.[0];
}

/** All that the checks look at for a decision. */
export function questionOf(decision: Decision, state: GuardState, context: Context): Question {
  const { node, id } = decision.target;
  const candidate = state.views.get(node)?.list?.candidates.get(id);
  const match = state.matches.find((one) => one.candidate === candidate && one.owns);
  return { decision, state, context, candidate, match };
}

/** Why the latest good list of a node is no ground to act upon now. */
export function listDoubtOf(node: string, state: GuardState, { now }: Pick<Context, 'now'>) {
  const times = state.views.get(node)?.list?.times;
  return times === undefined ? 'too_old' : staleness(times, now);
}

/**
 * The same for an intent, which is to be on disk before the list is too old: as long as it has waited already it may
 * wait again. An intent that comes too late to be sent would bar its entry for nothing.
 */
export function intentDoubtOf(node: string, state: GuardState, { now }: Pick<Context, 'now'>) {
  const times = state.views.get(node)?.list?.times;
  const waited = times === undefined ? 0 : now.mono - times.received.mono;
  return listDoubtOf(node, state, { now: { wall: now.wall + waited, mono: now.mono + waited } });
}

/** How often what matches was seen so far, as its policy asks. */
export function countOf({ candidate: { node, sighting }, policy }: Match, state: GuardState, { ways }: Context) {
  return state.views.get(node)?.witnesses.get(sighting.id)?.counts[ways.indexOf(policy.confirm)];
}

/** Since when an entry is confirmed as a policy asks. */
export function confirmationOf({ decision, state, context }: Pick<Question, 'decision' | 'state' | 'context'>) {
  const { node, id } = decision.target;
  const witness = state.views.get(node)?.witnesses.get(id);
  const index = context.settings.policies.findIndex(({ name }) => name === decision.policy);
  return witness === undefined ? undefined : confirmedAt(witness, index);
}

function modeOf(name: string, { settings }: Context) {
  const policy = settings.policies.find((one) => one.name === name);
  return policy === undefined ? undefined : effectiveMode(settings, policy);
}

function isOther(match: Match | undefined, { mode }: Decision): boolean {
  return match !== undefined && match.mode !== mode;
}

function isCovered({ decision, candidate, state, context }: Question): boolean {
  const own = instanceOf(state.instances, decision.target.node, context.now.mono);
  return own !== undefined && own === candidate?.sighting.instance;
}

function isBroken({ policy, target }: Decision, { breakers }: GuardState): boolean {
  return breakers.open.has(queryBreaker(target)) || breakers.open.has(policyBreaker(policy));
}
