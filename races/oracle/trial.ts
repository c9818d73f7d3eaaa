import type { GuardSettings, Policy } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Plan } from '../plan/plan.ts';
import type { Query, RaceLog } from '../world/log.ts';

/** What an oracle goes by: what was settled, and what truly happened. */
export interface Trial {
  readonly plan: Plan;
  readonly log: RaceLog;
}

/** What the guard goes by at an instant. */
export function settingsAt({ plan, log }: Trial, at: Millis): GuardSettings {
  return log.reloads.findLast((one) => one.at <= at)?.settings ?? plan.settings;
}

/** Those policies that may abort at all, in order. */
export function enforcing(settings: GuardSettings): readonly Policy[] {
  return settings.mode === 'enforce' ? settings.policies.filter(({ mode }) => mode === 'enforce') : [];
}

/** When the life of our process began that goes on at an instant. */
export function lifeFrom({ plan, log }: Trial, at: Millis): Millis {
  return Math.max(plan.begins, ...log.downs.filter(({ to }) => to <= at).map(({ to }) => to));
}

/** Since when nothing was forgotten that was known at an instant: our process began then, or our clock was set. */
export function knownFrom(trial: Trial, at: Millis): Millis {
  return Math.max(lifeFrom(trial, at), ...trial.log.steps.filter((step) => step.at <= at).map((step) => step.at));
}

/** Since when nothing but this was meant: what was listed by then has to be confirmed anew. */
export function meantFrom({ log }: Trial, at: Millis): Millis {
  return log.reloads.findLast((one) => one.at <= at && !one.meansTheSame)?.at ?? Number.NEGATIVE_INFINITY;
}

/** Whether a query ran at an instant. */
export function ranAt({ beganAt, endedAt }: Query, at: Millis): boolean {
  return beganAt <= at && at < endedAt;
}

/** Whether the switch was off at an instant, by an operator or by an answer that nobody asked for. */
export function isPausedAt({ pauses, surprises }: RaceLog, at: Millis): boolean {
  const all = [...pauses, ...surprises.map((one) => ({ ...one, isPaused: true }))];
  const last = all
    .filter((one) => one.at < at)
    .toSorted((one, other) => one.at - other.at)
    .at(-1);
  return last?.isPaused === true;
}
