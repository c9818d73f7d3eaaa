import type { Instant } from '../../kernel/time.ts';
import type { AlertOutcome } from './alert-outcome.ts';
import {
  type AttemptStart,
  afterAttempt,
  initialRetryState,
  pendingAction,
  type QueuedIncident,
  retryTime,
} from './queued-incident.ts';
import { backoff, isGivenUp, outageAfterFailure } from './retry-and-rate-limit.ts';

/**
 * Returns an incident after an attempt. If some recipients may accept the notification later, it is still pending for
 * these alone, unless a newer one is pending, which goes to all recipients.
 */
export function afterResponse(
  before: QueuedIncident,
  tried: AttemptStart,
  outcome: AlertOutcome,
  now: Instant,
): QueuedIncident {
  const incident = afterAttempt(before, tried, outcome, now);
  const { action, acknowledgement } = tried;
  if (outcome.kind !== 'accepted' || outcome.deferred === undefined || action === 'refresh') return incident;
  if (pendingAction(incident) !== undefined) return incident;
  const outage = outageAfterFailure(before.outage, true, now.wall);
  if (isGivenUp(outage, now.wall)) return incident;
  const { recipients, chance, startedAt } = outcome.deferred;
  const failures = before.deferred === undefined ? 0 : before.retry.failures;
  const from = retryTime(incident, now.mono + backoff(failures, chance), startedAt);
  return {
    ...incident,
    over: false,
    outage,
    deferred: { action, recipients },
    ...(action === 'acknowledge' && { acknowledgement }),
    retry: { ...incident.retry, from, failures: failures + 1 },
  };
}

/** Drops the notification for the recipients that still need it, because all recipients get a newer one now. */
export function withoutDeferred(incident: QueuedIncident): QueuedIncident {
  if (incident.deferred === undefined) return incident;
  return { ...incident, deferred: undefined, retry: initialRetryState(Number.NEGATIVE_INFINITY) };
}
