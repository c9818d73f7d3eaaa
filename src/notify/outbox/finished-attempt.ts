import {
  type AlertQueue,
  type AlertQueueStep,
  type DeliveryAttempt,
  incidentOf,
  withAttemptOutcome,
} from './alert-queue.ts';
import type { AttemptOutcome, SettledAttempt } from './delivery-attempt.ts';
import type { LoggedAttempt } from './delivery-log.ts';
import { withAttemptRecorded } from './delivery-progress.ts';
import { deliveryResultOf } from './receiver-health.ts';

/** Input of the outcome of an attempt in addition to the response. */
export interface AttemptContext {
  readonly isLevelTriggered: boolean;
  /** Time of the next attempt, for the delivery log. */
  readonly retryAt: LoggedAttempt['nextAttemptAt'];
}

/** An alert queue after an attempt. */
export interface FinishedAttempt {
  readonly step: AlertQueueStep;
  readonly outcomes: readonly AttemptOutcome[];
  readonly logged: LoggedAttempt;
}

/** Applies the response to an attempt to the queue of one alert; undefined if the incident left the queue meanwhile. */
export function finishedAttempt(
  before: AlertQueue,
  attempt: DeliveryAttempt,
  { outcome, response, now }: SettledAttempt,
  { isLevelTriggered, retryAt }: AttemptContext,
): FinishedAttempt | undefined {
  const known = incidentOf(before, attempt);
  if (known === undefined) return undefined;
  const step = withAttemptOutcome(before, attempt, { outcome, isLevelTriggered }, now);
  const isFirst = known.deferred === undefined;
  const hasLatency =
    outcome.kind === 'accepted' && isFirst && (attempt.action === 'trigger' || attempt.action === 'resolve');
  const { key } = before;
  const about = { key, episode: attempt.episode, action: attempt.action, result: deliveryResultOf(response) };
  const reported = hasLatency ? { ...about, due: known.due } : about;
  const isParked = known.parked === undefined && incidentOf(step.queue, attempt)?.parked !== undefined;
  const outcomes = isParked ? [reported, { ...reported, result: 'parked' as const }] : [reported];
  const logged = { ...attempt, outcome, response, nextAttemptAt: retryAt };
  const recorded = { ...step, queue: withAttemptRecorded(step.queue, logged, now.wall) };
  return { step: recorded, outcomes, logged };
}
