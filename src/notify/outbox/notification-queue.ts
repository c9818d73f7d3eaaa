import type { StoreChange } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import type { ReceiverView } from '../../model/situation.ts';
import type { NotifierTraits, ReceiverResponse } from '../notifier.ts';
import {
  type AlertQueue,
  type AlertQueueStep,
  type Attempt,
  emptyAlertQueue,
  hasGivenUp,
  incidentOf,
  nextPending,
  type Trigger,
  withAcknowledgement,
  withAttemptOutcome,
  withAttemptStarted,
  withFallbackTrigger,
  withImmediateRetry,
  withOverdueParked,
  withoutExpired,
  withParkedRetried,
  withResolve,
  withTrigger,
} from './alert-queue.ts';
import { AlertQueues } from './alert-queues.ts';
import { type AttemptResult, alertOutcome, historyRows, type NextAction, type SendAction } from './delivery-attempt.ts';
import { GroupIntervals } from './group-intervals.ts';
import { MissedDigest, type MissedIncidents, noMissedIncidents } from './missed-incidents.ts';
import { receiverStateChange, type StoredReceiverState } from './outbox-store.ts';
import type { AlertOutcome, PendingAcknowledgement } from './queued-incident.ts';
import {
  deliveryResultOf,
  failingSince,
  healthAfter,
  initialHealth,
  isLongOutage,
  noPause,
  type ReceiverHealth,
  retryPreference,
} from './receiver-health.ts';
import { earliest, openIncidentCount, receiverView, type Undelivered, undeliveredTriggers } from './receiver-status.ts';
import { giveUpAfter, isGivenUp, nextAllowed, type SentTimes, withSent } from './retry-and-rate-limit.ts';
import { selectRequest } from './select-request.ts';

const sweepInterval = 60_000;

/** Queue of notifications for one receiver, with the receiver's health. It performs no I/O: each method returns the changes to store. */
export class NotificationQueue {
  readonly receiver: string;
  #traits: NotifierTraits;
  #health: ReceiverHealth;
  #sentTimes: SentTimes = [];
  #sweptAt = Number.NEGATIVE_INFINITY;
  readonly #missed: MissedDigest;
  readonly #queues: AlertQueues;
  readonly #groups = new GroupIntervals();

  constructor(
    receiver: string,
    traits: NotifierTraits,
    queues: readonly AlertQueue[] = [],
    standing?: StoredReceiverState,
  ) {
    this.receiver = receiver;
    this.#traits = traits;
    this.#queues = new AlertQueues(receiver, queues);
    // Without pending notifications no attempt shows whether the receiver is still broken.
    this.#health = initialHealth(standing?.outage, queues.length > 0 ? standing?.brokenSince : undefined);
    this.#missed = new MissedDigest(standing?.folded ?? noMissedIncidents);
  }

  /** Applies new settings and clears all pauses, so that the next attempts are immediate. */
  useTraits(traits: NotifierTraits, now: Instant): void {
    this.#traits = traits;
    this.#health = { ...this.#health, ...noPause, failures: 0, limits: 0, rejections: 0 };
    this.#queues.saveEach((queue) => withImmediateRetry(queue, now));
  }

  /** Adds a trigger or a reminder. */
  enqueueTrigger(trigger: Trigger, now: Instant): readonly StoreChange[] {
    return this.#enqueue(this.#groups.withWait(trigger, now), withTrigger, now);
  }

  /** Adds, once, a trigger that another receiver does not accept. */
  enqueueFallback(trigger: Trigger, now: Instant): readonly StoreChange[] {
    return this.#enqueue(trigger, withFallbackTrigger, now);
  }

  /** Adds a change of an acknowledgement if the receiver may know of the incident. */
  enqueueAcknowledgement(alert: Alert, made: PendingAcknowledgement, now: Instant): readonly StoreChange[] {
    const isSent = made.change === 'acknowledged' || this.#traits.cannotUnacknowledge !== true;
    return this.#update(alert.key, (queue) => withAcknowledgement(queue, alert, isSent ? made : undefined), now);
  }

  /** Adds the end of an incident if the receiver may know of its beginning. */
  enqueueResolve(alert: Alert, due: number, now: Instant): readonly StoreChange[] {
    if (this.#queues.get(alert.key) === undefined) return [];
    return this.#update(alert.key, (queue) => withResolve(queue, alert, due, now), now);
  }

  /** Holds the queue of an alert key until as many calls of {@link unhold}, because its changes are not stored yet. */
  hold(key: string): void {
    this.#queues.hold(key);
  }

  /** Reverts one call of {@link hold}. */
  unhold(key: string): void {
    this.#queues.unhold(key);
  }

  /** Returns the next action. */
  next(now: Instant): NextAction {
    const { pagesPausedUntil } = this.#health;
    if (now.mono < pagesPausedUntil) return { kind: 'wait', until: pagesPausedUntil, soon: false };
    const next = this.#nextAction(now);
    const allowed = nextAllowed(this.#sentTimes, this.#traits);
    return next.kind === 'send' && now.mono < allowed ? { kind: 'wait', until: allowed, soon: true } : next;
  }

  /** Marks a request as sent. Store the returned changes before you send it: after a crash it counts as possibly delivered. */
  startAttempt({ choice }: SendAction, now: Instant): readonly StoreChange[] {
    this.#sentTimes = withSent(this.#sentTimes, now.mono);
    this.#groups.markSent(choice, now);
    return [...choice.attempts].flatMap(([key, attempt]) => {
      const queue = this.#queues.get(key);
      if (queue === undefined || attempt.action !== 'trigger' || attempt.before !== 'no') return [];
      return this.#queues.save(withAttemptStarted(queue, attempt));
    });
  }

  /** Applies a response to each alert in the request; `random` is uniform in [0, 1). */
  finishAttempt(action: SendAction, response: ReceiverResponse, now: Instant, random: () => number): AttemptResult {
    const before = this.#health;
    const timed = { answer: response, startedAt: this.#sentTimes.at(-1) ?? now.mono };
    this.#health = healthAfter(before, timed, now, random());
    const attempts = [...action.choice.attempts];
    const parts = attempts.map(([key, attempt], index) => {
      const outcome = alertOutcome(timed, index, attempts.length, random());
      return this.#finishAlert(key, attempt, { outcome, response, now });
    });
    const digest = action.digested && this.#finishDigest(action.digested, response);
    const all = digest === undefined ? parts : [...parts, digest];
    const outcomes = all.flatMap((part) => part.outcomes);
    const { outage, brokenSince } = this.#health;
    const isSame = before.outage === outage && before.brokenSince === brokenSince;
    const standing = isSame ? [] : [this.#stateChange()];
    const others = [...this.#parkOverdue(response, now), ...this.#retryParked(before, now), ...standing];
    return {
      changes: [...all.flatMap((part) => part.changes), ...others, ...historyRows(this.receiver, outcomes, now.wall)],
      outcomes,
    };
  }

  /** Returns the triggers to send to fallback receivers because this receiver does not accept them. */
  undelivered(now: Instant): readonly Undelivered[] {
    return undeliveredTriggers(this.#health, this.#queues.values(), now);
  }

  /** Whether the receiver counts as failing. */
  isFailing(now: Instant): boolean {
    return failingSince(this.#health, now.wall) !== undefined;
  }

  /** Returns the status of the receiver. */
  view(now: Instant): ReceiverView {
    const about = { receiver: this.receiver, health: this.#health, missed: this.#missed.incidents.count };
    return receiverView(about, this.#queues.values(), now);
  }

  /** Drops expired incidents, once a minute. */
  sweep(now: Instant): readonly StoreChange[] {
    if (now.mono - this.#sweptAt < sweepInterval) return [];
    this.#sweptAt = now.mono;
    this.#groups.sweep(this.#queues.values());
    const expired = this.#queues.saveEach((queue) => withoutExpired(queue, now.wall));
    return [...expired, ...this.#clearOutage(now)];
  }

  #enqueue(trigger: Trigger, change: typeof withTrigger, now: Instant): readonly StoreChange[] {
    if (this.#traits.isPager === true && trigger.alert.severity === 'info') return [];
    return this.#update(trigger.alert.key, (queue) => change(queue, trigger, now), now);
  }

  #nextAction(now: Instant): NextAction {
    const { pausedUntil } = this.#health;
    const isPaused = now.mono < pausedUntil;
    const queues = isPaused ? this.#queues.pages() : this.#queues.sendable();
    const chosen = selectRequest(queues, this.#traits, now, retryPreference(this.#health));
    if (isPaused && !('request' in chosen))
      return { kind: 'wait', until: earliest([chosen.at, pausedUntil]), soon: false };
    const isDigestFirst = this.#needsDigestFirst(now);
    if ('request' in chosen && !isDigestFirst) return { kind: 'send', choice: chosen };
    const from = 'request' in chosen ? now.mono : chosen.at;
    // A held change may add missed incidents and is not stored yet; its release wakes the worker.
    if (this.#queues.hasHeld && this.#traits.acceptsDigests)
      return { kind: 'wait', until: isDigestFirst ? undefined : from, soon: false };
    const dueAt = this.#traits.acceptsDigests ? this.#missed.dueAt : undefined;
    if ('request' in chosen || (dueAt !== undefined && dueAt <= now.mono)) return this.#digestAction();
    return { kind: 'wait', until: earliest([from, dueAt]), soon: false };
  }

  #update(key: string, change: (queue: AlertQueue) => AlertQueueStep, now: Instant): readonly StoreChange[] {
    const before = this.#queues.get(key) ?? emptyAlertQueue(key);
    const step = change(before);
    return step.queue === before ? [] : this.#apply(step, now);
  }

  #apply(step: AlertQueueStep, now: Instant): readonly StoreChange[] {
    const kept = this.#queues.save(step.queue);
    if (step.missed.length === 0 || !this.#traits.acceptsDigests) return kept;
    this.#missed.add(step.missed, now);
    return [...kept, this.#stateChange()];
  }

  #stateChange(): StoreChange {
    const { outage, brokenSince } = this.#health;
    return receiverStateChange(this.receiver, {
      folded: this.#missed.incidents,
      ...(outage === undefined ? {} : { outage }),
      ...(brokenSince === undefined ? {} : { brokenSince }),
    });
  }

  #needsDigestFirst(now: Instant): boolean {
    const isReported = this.#missed.dueAt !== undefined || openIncidentCount(this.#queues.values()) > 0;
    return this.#traits.acceptsDigests && isLongOutage(this.#health, now.wall) && isReported;
  }

  #digestAction(): SendAction {
    const request = this.#missed.request(openIncidentCount(this.#queues.values()), this.#health.outage?.since);
    const choice = { request, detail: this.#missed.detail, attempts: new Map<string, Attempt>() };
    return { kind: 'send', choice, digested: this.#missed.incidents };
  }

  #finishAlert(key: string, attempt: Attempt, { outcome, response, now }: AttemptContext): AttemptResult {
    const before = this.#queues.get(key);
    const known = before && incidentOf(before, attempt);
    if (before === undefined || known === undefined) return { changes: [], outcomes: [] };
    const step = withAttemptOutcome(before, attempt, { verdict: outcome, forgets: this.#traits.isLevelTriggered }, now);
    const isAwaited = outcome.kind === 'accepted' && (attempt.action === 'trigger' || attempt.action === 'resolve');
    const about = { key, episode: attempt.episode, action: attempt.action, result: deliveryResultOf(response) };
    const ending = isAwaited ? { ...about, due: known.due } : about;
    const isParked = known.parked === undefined && incidentOf(step.queue, attempt)?.parked !== undefined;
    const outcomes = isParked ? [ending, { ...ending, result: 'parked' }] : [ending];
    return { changes: this.#apply(step, now), outcomes };
  }

  #finishDigest(reported: MissedIncidents, answer: ReceiverResponse): AttemptResult {
    const about = { key: '', episode: 0, action: 'digest' };
    const ending = { ...about, result: deliveryResultOf(answer) };
    if (!this.#missed.settle(reported, answer)) return { changes: [], outcomes: [ending] };
    const outcomes = answer.kind === 'accepted' ? [ending] : [ending, { ...about, result: 'parked' }];
    return { changes: [this.#stateChange()], outcomes };
  }

  /** Parks all overdue notifications if the receiver has been unavailable for too long. */
  #parkOverdue({ kind }: ReceiverResponse, now: Instant): readonly StoreChange[] {
    const { outage } = this.#health;
    if (kind !== 'unavailable' || outage === undefined || !isGivenUp(outage, now.wall)) return [];
    return this.#queues.values().flatMap((queue) => {
      const head = nextPending(queue);
      const before = now.wall - giveUpAfter.answering;
      return head === undefined || head.episode.due > before
        ? []
        : this.#queues.save(withOverdueParked(queue, before, now));
    });
  }

  /** Ends the outage of a receiver without pending notifications, because no attempt shows whether it still fails. */
  #clearOutage(now: Instant): readonly StoreChange[] {
    const { outage, brokenSince, result } = this.#health;
    if (outage === undefined || brokenSince !== undefined || this.#missed.dueAt !== undefined) return [];
    const chosen = selectRequest(this.#queues.values(), this.#traits, now);
    if ('request' in chosen || chosen.at !== undefined || this.#queues.values().some(hasGivenUp)) return [];
    this.#health = { ...initialHealth(), result };
    return [this.#stateChange()];
  }

  #retryParked(before: ReceiverHealth, now: Instant): readonly StoreChange[] {
    const wasLong = before.failures >= 3 || before.brokenSince !== undefined || isLongOutage(before, now.wall);
    if (this.#health.outage !== undefined || !wasLong) return [];
    return this.#queues.values().flatMap((queue) => {
      const changes = this.#queues.save(withParkedRetried(queue, now));
      return hasGivenUp(queue) ? changes : [];
    });
  }
}

interface AttemptContext {
  readonly outcome: AlertOutcome;
  readonly response: ReceiverResponse;
  readonly now: Instant;
}
