import type { ConfirmSettings, GuardSettings, Policy } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import type { ListLog, Query, SimulationLog } from '../simulation/log.ts';

/** Plan and log of a run. */
export interface RecordedRun {
  readonly plan: SimulationPlan;
  readonly log: SimulationLog;
}

/** Returns the settings of the guard at an instant. */
export function settingsAt({ plan, log }: RecordedRun, at: Millis): GuardSettings {
  return log.reloads.findLast((one) => one.at <= at)?.settings ?? plan.settings;
}

/** Returns the policies in enforce mode, in order. */
export function enforcingPolicies(settings: GuardSettings): readonly Policy[] {
  return settings.mode === 'enforce' ? settings.policies.filter(({ mode }) => mode === 'enforce') : [];
}

/** Returns the start of the guard process that runs at an instant. */
export function processStartAt({ plan, log }: RecordedRun, at: Millis): Millis {
  return Math.max(plan.startsAt, ...log.downtimes.filter(({ to }) => to <= at).map(({ to }) => to));
}

/** Returns since when the state of the guard is complete: since the last process start or clock step. */
export function stateKnownSince(run: RecordedRun, at: Millis): Millis {
  return Math.max(processStartAt(run, at), ...noticeableSteps(run.log, at).map((step) => step.at));
}

/** Clock steps before an instant, except those that are taken back before a list reaches the guard, which cannot notice them. */
function noticeableSteps({ steps, lists }: SimulationLog, at: Millis): SimulationLog['steps'] {
  const before = steps.filter((step) => step.at <= at);
  const isTakenBack = (index: number): boolean => {
    const [one, next] = [before[index], before[index + 1]];
    if (one === undefined || next === undefined || one.by + next.by !== 0) return false;
    return !lists.some(({ receivedAt = one.at }) => one.at < receivedAt && receivedAt <= next.at);
  };
  return before.filter((_, index) => !isTakenBack(index) && !isTakenBack(index - 1));
}

/** Returns since when the settings are in force. Observations from before do not count as confirmation. */
export function settingsKnownSince({ log }: RecordedRun, at: Millis): Millis {
  return log.reloads.findLast((one) => one.at <= at && !one.isNoMore)?.at ?? Number.NEGATIVE_INFINITY;
}

/** Returns true if a query ran at an instant. */
export function wasRunningAt({ beganAt, endedAt }: Query, at: Millis): boolean {
  return beganAt <= at && at < endedAt;
}

/** Returns true if the guard was paused at an instant, by an operator or by an abort response with an unexpected id. */
export function isPausedAt({ pauses, unexpectedReplies }: SimulationLog, at: Millis): boolean {
  const all = [...pauses, ...unexpectedReplies.map((one) => ({ ...one, isPaused: true }))];
  const last = all
    .filter((one) => one.at < at)
    .toSorted((one, other) => one.at - other.at)
    .at(-1);
  return last?.isPaused === true;
}

/** Share of the required distance that is enough, so that jitter of the list interval does not matter. */
const tolerance = 0.9;

/** Returns the good lists that contain a query correctly, requested after `from` and received by `to`. */
export function observationsOf(
  { log }: RecordedRun,
  { node, number }: Query,
  from: Millis,
  to: Millis,
): readonly ListLog[] {
  return log.lists.filter(
    (list) =>
      list.machine === node &&
      list.isGood &&
      list.listed.has(number) &&
      list.startedAt >= from &&
      (list.receivedAt ?? Number.POSITIVE_INFINITY) <= to,
  );
}

/** Returns when the list arrived that completed the required number of observations. */
export function confirmedAt(observations: readonly ListLog[], confirm: ConfirmSettings): Millis | undefined {
  let count = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  for (const { startedAt, receivedAt } of observations) {
    if (startedAt - countedAt < confirm.apart * tolerance) continue;
    count += 1;
    countedAt = startedAt;
    if (count === confirm.observations) return receivedAt;
  }
  return undefined;
}
