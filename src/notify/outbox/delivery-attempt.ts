import type { StoreChange } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import { loggedActions } from '../../model/delivery.ts';
import type { DeliveryResult, ReceiverResponse } from '../notifier.ts';
import type { AlertOutcome } from './alert-outcome.ts';
import type { MissedIncidents } from './missed-incidents.ts';
import { deliveryResultOf, type TimedResponse } from './receiver-health.ts';
import type { SelectedRequest } from './select-request.ts';

/** A request to send now. A digest has the incidents that it reports as missed in `digested`. */
export interface SendAction {
  readonly kind: 'send';
  readonly choice: SelectedRequest;
  readonly digested?: MissedIncidents;
  /** Digest of the recipient. */
  readonly recipient?: string | undefined;
}

/** The next action: send, or wait until a monotonic time; without a time, until the worker is woken. `soon` means that only the receiver's rate limit delays the request. */
export type NextAction =
  | SendAction
  | { readonly kind: 'wait'; readonly until: number | undefined; readonly soon: boolean };

/** Result of an attempt: the changes to store, and an outcome for each alert. */
export interface AttemptResult {
  readonly changes: readonly StoreChange[];
  readonly outcomes: readonly AttemptOutcome[];
}

/** Response to an attempt, and its outcome for one alert. */
export interface SettledAttempt {
  readonly outcome: AlertOutcome;
  readonly response: ReceiverResponse;
  readonly now: Instant;
}

/** Actions of attempts. A `refresh` repeats the state for a level-triggered receiver; the delivery log has no entry for it. */
export const countedActions = [...loggedActions, 'refresh'] as const;

/** One of {@link countedActions}. */
type CountedAction = (typeof countedActions)[number];

/** Outcome of an attempt for one alert, for the metrics. */
export interface AttemptOutcome {
  readonly key: string;
  readonly episode: number;
  readonly action: CountedAction;
  readonly result: DeliveryResult;
  /** Wall time at which the accepted notification was due; present for a trigger and a resolve. */
  readonly due?: number;
}

/**
 * Returns the response that decides about a request. If one peer rejects the request and another one may accept it later,
 * the request is first split and shortened for the former, then retried for the latter.
 */
export function decisiveResponse(response: ReceiverResponse, { attempts, detail }: SelectedRequest): ReceiverResponse {
  if (response.kind !== 'refused' || response.otherPeer === undefined) return response;
  const { otherPeer, message, rejectedIndexes = [] } = response;
  const isSmallest = detail === 'minimal' && (attempts.size === 1 || rejectedIndexes.length > 0);
  return isSmallest ? { ...otherPeer, message: `${otherPeer.message}; another peer: ${message}` } : response;
}

/** Returns the outcomes of a response to a digest, which is parked if it is finished without being accepted. */
export function digestOutcomes(response: ReceiverResponse, isFinished: boolean): readonly AttemptOutcome[] {
  const about = { key: '', episode: 0, action: 'digest' } as const;
  const outcome = { ...about, result: deliveryResultOf(response) };
  return isFinished && response.kind !== 'accepted' ? [outcome, { ...about, result: 'parked' }] : [outcome];
}

/** Returns the outcome of a response for the alert at `index` of `count` in the request; `chance` is uniform in [0, 1). */
export function alertOutcome(
  { answer, startedAt }: TimedResponse,
  index: number,
  count: number,
  chance: number,
): AlertOutcome {
  if (answer.kind === 'accepted') {
    const { reference, deferred: recipients } = answer;
    const deferred = recipients && { deferred: { recipients, chance, startedAt } };
    return { kind: 'accepted', ...deferred, ...(reference !== undefined && count === 1 && { reference }) };
  }
  if (answer.kind === 'unavailable') return { kind: 'lost', answered: answer.answered, chance, startedAt };
  if (answer.kind === 'broken') return { kind: 'rejected', startedAt };
  if (answer.kind === 'limited') return { kind: 'not_accepted' };
  const culprits = answer.rejectedIndexes ?? [];
  if (culprits.length === 0) return { kind: 'refused', batchSize: count };
  // The receiver may have accepted the alerts that it does not name: they are sent again at once without the rejected ones.
  return culprits.includes(index) ? { kind: 'refused', batchSize: 1 } : { kind: 'other_rejected' };
}
