import type { Millis } from '../../kernel/time.ts';
import type { Policy } from '../policy.ts';
import { type Attempt, freeAt, lackingBudget, restUntil } from './attempts.ts';
import { countedTries } from './breakers.ts';
import type { Decision, LateReason } from './decision.ts';
import type { Context, GuardState } from './state.ts';

/** What keeps a decision from its intent for now. */
export interface Hold {
  readonly reason: Exclude<LateReason, 'reserve' | 'bucket' | 'list'> | 'same_query';
  /** When to look again; undefined where something else has to happen. */
  readonly until: Millis | undefined;
}

/**
 * What holds a decision that nothing speaks against: a rest, a budget without room, or others that go first. Nothing
 * of it holds an operator, who knows better.
 */
export function holdOf(decision: Decision, state: GuardState, context: Context): Hold | undefined {
  if (decision.manual !== undefined) return undefined;
  const { settings, now } = context;
  const policy = settings.policies.find(({ name }) => name === decision.policy);
  if (policy === undefined) return undefined;
  const attempts = spentBy(decision, state);
  const rest = restOf(decision, { state, policy, attempts });
  if (rest !== undefined && rest.until === undefined) return rest;
  if (rest?.until !== undefined && now.mono < rest.until) return rest;
  if (isTriedEnough(decision, state, context)) return { reason: 'same_query', until: undefined };
  return budgetHold(decision, attempts, context);
}

/** What policies of its mode have spent: those that observe have budgets of their own. */
export function spentBy({ mode }: Pick<Decision, 'mode'>, state: GuardState): readonly Attempt[] {
  return mode === 'enforce' ? state.attempts : state.shadows;
}

/** As many as may be are under way or done: one more could open the breaker a second time. */
export function isTriedEnough({ key, target, mode }: Decision, state: GuardState, { settings, now }: Context): boolean {
  const { aborts, within } = settings.breakers.sameQuery;
  const attempts = spentBy({ mode }, state);
  return countedTries(state.breakers, attempts, { target, key, since: now.mono - within }) >= aborts;
}

function restOf(
  { key, target: { node }, mode }: Decision,
  {
    state,
    policy,
    attempts,
  }: { readonly state: GuardState; readonly policy: Policy; readonly attempts: readonly Attempt[] },
): Hold | undefined {
  const { name, cooldown } = policy;
  const isAwaited = state.awaited.some((one) => one.policy === name && one.node === node && one.key !== key);
  if (isAwaited && mode === 'enforce') return { reason: 'relief', until: undefined };
  return { reason: 'cooldown', until: restUntil(attempts, { policy: name, node, key }, cooldown) };
}

function budgetHold(decision: Decision, attempts: readonly Attempt[], { settings, now }: Context): Hold | undefined {
  const { node } = decision.target;
  const lacking = lackingBudget(settings.budgets, attempts, { node, key: decision.key, now: now.mono });
  if (lacking === undefined) return undefined;
  if (lacking === 'cluster') return { reason: 'cluster_budget', until: freeAt(settings.budgets.perCluster, attempts) };
  const onNode = attempts.filter((one) => one.node === node);
  return { reason: 'node_budget', until: freeAt(settings.budgets.perNode, onNode) };
}
