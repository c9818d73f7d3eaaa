import type { Millis } from '../../kernel/time.ts';
import { gateSince } from '../gates.ts';
import type { Policy } from '../policy.ts';
import { attemptOf } from './attempts.ts';
import { type AwaitedRelief, pressuresOf } from './breakers.ts';
import { type Decision, decisionKey } from './decision.ts';
import type { Question } from './doubts.ts';
import type { Evidence, Intent } from './output.ts';
import { moved } from './phases.ts';
import { type GuardState, type Step, withDecision } from './state.ts';

/** Commits to a decision: from here on its budget is spent, and its entry barred, whatever comes after. */
export function intended(question: Question, policy: Policy | undefined): Step {
  const { decision } = question;
  return decision.mode === 'enforce' ? spent(question, policy) : pretended(question, intentOf(question, policy));
}

function spent(question: Question, policy: Policy | undefined): Step {
  const { decision, state, context } = question;
  const next: GuardState = {
    ...state,
    barred: new Set(state.barred).add(decisionKey(decision.target)),
    attempts: [...state.attempts, attemptOf(decision, context.now.mono)],
    awaited: [...state.awaited, ...awaitedFor(question, policy)],
  };
  return {
    state: withDecision(next, decision.key, moved(decision, 'committing')),
    outputs: [{ kind: 'intent', intent: intentOf(question, policy), notify: policy?.notify ?? [] }],
  };
}

/** A policy that observes goes this far, on a budget of its own, and tells of it once. */
function pretended({ state, decision, context }: Question, intent: Intent): Step {
  const { key, policy, target } = decision;
  const next: GuardState = {
    ...state,
    told: new Set(state.told).add(key),
    shadows: [...state.shadows, attemptOf(decision, context.now.mono)],
  };
  return {
    state: withDecision(next, key, undefined),
    outputs: [{ kind: 'would_abort', key, policy, node: target.node, intent }],
  };
}

function intentOf(question: Question, policy: Policy | undefined): Intent {
  const { decision, context } = question;
  const { key, target, manual } = decision;
  return {
    ...target,
    key,
    cluster: context.cluster,
    policy: decision.policy,
    ...(manual === undefined ? {} : { manual: { by: manual.by, reason: manual.reason } }),
    at: context.now.wall,
    evidence: evidenceOf(question, policy),
  };
}

function evidenceOf({ decision, state, context, candidate, match }: Question, policy: Policy | undefined): Evidence {
  const { node, id } = decision.target;
  const witness = state.views.get(node)?.witnesses.get(id);
  const isGrounded = match !== undefined || decision.manual !== undefined;
  if (candidate === undefined || witness === undefined || !isGrounded) throw new Error('an intent without evidence');
  const { grantedTimeout } = candidate.sighting;
  const inWall = (mono: Millis) => context.now.wall + mono - context.now.mono;
  return {
    age: candidate.age,
    ...(grantedTimeout === undefined ? {} : { grantedTimeout }),
    matchedAt: inWall(decision.matchedAt),
    due: inWall(decision.due),
    firstSeenAt: witness.first.started.wall,
    lastSeenAt: witness.last.started.wall,
    pressures: pressuresOf(policy?.gate?.clauses ?? [], node, state.readings),
  };
}

/** Relief is looked for where the pressure was that let the policy act. */
function awaitedFor({ decision, state, context }: Question, policy: Policy | undefined): readonly AwaitedRelief[] {
  if (policy?.gate === undefined) return [];
  const { gate, name } = policy;
  const { key, target } = decision;
  const { node } = target;
  const isOpen = (clause: (typeof gate.clauses)[number]) =>
    gateSince(state.gates, { node, clause, now: context.now.mono }) !== undefined;
  const before = pressuresOf(gate.clauses.filter(isOpen), node, state.readings);
  return [{ key, policy: name, node, before, outcomeAt: undefined }];
}

/** The policy that a decision is for, as it is now; none where it is by hand. */
export function policyOf({ policy }: Decision, policies: readonly Policy[]): Policy | undefined {
  return policies.find(({ name }) => name === policy);
}
