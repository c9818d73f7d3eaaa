import type { StoreChange } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import type { ReceiverView } from '../../model/situation.ts';
import type { NotifierTraits, ReceiverResponse } from '../notifier.ts';
import {
  type AlertQueue,
  type AlertQueueStep,
  type DeliveryAttempt,
  emptyAlertQueue,
  hasGivenUp,
  type Trigger,
  withAcknowledgement,
  withAttemptStarted,
  withFallbackTrigger,
  withImmediateRetry,
  withoutExpired,
  withResolve,
  withTrigger,
} from './alert-queue.ts';
import { AlertQueues } from './alert-queues.ts';
import {
  type AttemptResult,
  alertOutcome,
  type NextAction,
  type SendAction,
  type SettledAttempt,
} from './delivery-attempt.ts';
import type { LoggedAttempt, SettledDigest } from './delivery-log.ts';
import { finishedAttempt } from './finished-attempt.ts';
import { GroupIntervals } from './group-intervals.ts';
import { MissedDigest } from './missed-digest.ts';
import { noMissedIncidents } from './missed-incidents.ts';
import type { StoredReceiver } from './outbox-store.ts';
import type { PendingAcknowledgement } from './queued-incident.ts';
import {
  failingSince,
  healthAfter,
  initialHealth,
  isGivenUpOn,
  isLongOutage,
  isRecovery,
  outageOf,
  type ReceiverHealth,
  retryPreference,
  withoutPauses,
} from './receiver-health.ts';
import { ReceiverStateRows } from './receiver-state-rows.ts';
import {
  earliest,
  nextAttemptAt,
  openIncidentCount,
  type ReceiverStatus,
  receiverView,
  type Undelivered,
  undeliveredTriggers,
} from './receiver-status.ts';
import { type AlertKeyChanges, type FiringAlerts, incidentName, reconcileQueue } from './reconcile-queue.ts';
import { giveUpAfter, nextAllowed, type SentTimes, withSent } from './retry-and-rate-limit.ts';
import { selectRequest } from './select-request.ts';

const sweepInterval = 60_000;

/** Queue of notifications for one receiver, with the receiver's health. It performs no I/O: each method returns the changes to store. */
export class NotificationQueue {
  readonly receiver: string;
  readonly queues: AlertQueues;
  #traits: NotifierTraits;
  #health: ReceiverHealth;
  #sentTimes: SentTimes = [];
  #sweptAt = Number.NEGATIVE_INFINITY;
  readonly #missed: MissedDigest;
  readonly #groups = new GroupIntervals();
  readonly #stateRows: ReceiverStateRows;

  constructor(receiver: string, traits: NotifierTraits, stored: StoredReceiver = { queues: [] }, isShared = false) {
    const { queues, state } = stored;
    this.receiver = receiver;
    this.#stateRows = new ReceiverStateRows(receiver, isShared);
    if (state !== undefined) this.#stateRows.adopt(state);
    this.#traits = traits;
    this.queues = new AlertQueues(receiver, queues);
    // Without pending notifications no attempt shows whether the receiver is still broken.
    this.#health = initialHealth(state?.outage, queues.length > 0 ? state?.brokenSince : undefined);
    this.#missed = new MissedDigest(state?.folded ?? noMissedIncidents);
  }

  /** Applies new settings and clears all pauses, so that the next attempts are immediate. */
  useTraits(traits: NotifierTraits, now: Instant): void {
    this.#traits = traits;
    this.#health = withoutPauses(this.#health);
    this.queues.saveEach((queue) => withImmediateRetry(queue, now), now);
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
    return this.update(alert.key, (queue) => withAcknowledgement(queue, alert, isSent ? made : undefined), now);
  }

  /** Adds the end of an incident if the receiver may know of its beginning. */
  enqueueResolve(alert: Alert, due: number, now: Instant): readonly StoreChange[] {
    return this.update(alert.key, (queue) => withResolve(queue, alert, due, now), now);
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
  startAttempt({ choice, recipient }: SendAction, now: Instant): readonly StoreChange[] {
    this.#sentTimes = withSent(this.#sentTimes, now.mono);
    this.#groups.markSent(choice, now);
    return [...choice.attempts].flatMap(([key, attempt]) => {
      const queue = this.queues.get(key);
      if (queue === undefined || attempt.action !== 'trigger' || attempt.before !== 'no') return [];
      return this.queues.save({ queue: withAttemptStarted(queue, attempt, recipient), missed: [] }, now);
    });
  }

  /** Applies a response to each alert in the request; `random` is uniform in [0, 1). */
  finishAttempt(action: SendAction, response: ReceiverResponse, now: Instant, random: () => number): AttemptResult {
    const before = this.#health;
    const isForSome = 'recipients' in action.choice.request;
    const timed = { answer: response, startedAt: this.#sentTimes.at(-1) ?? now.mono, isForSome };
    this.#health = healthAfter(before, timed, now, random());
    const attempts = [...action.choice.attempts];
    const parts = attempts.map(([key, attempt], index) => {
      const outcome = alertOutcome(timed, index, attempts.length, random());
      return this.#finishAlert(key, attempt, { outcome, response, now });
    });
    const since = (before.outage ?? this.#health.outage)?.since;
    const { digested: reported } = action;
    const digest = reported && this.#finishDigest({ receiver: this.receiver, reported, response, since, now });
    const all = digest === undefined ? parts : [...parts, digest];
    const { outage, brokenSince } = this.#health;
    const state = before.outage === outage && before.brokenSince === brokenSince ? [] : this.#stateChanges();
    const isOverdue = response.kind === 'unavailable' && isGivenUpOn(this.#health, now.wall);
    const parked = isOverdue ? this.queues.parkOverdue(now.wall - giveUpAfter.answering, now) : [];
    const retried = isRecovery(before, this.#health, now.wall) ? this.queues.retryParked(now) : [];
    const [changes, outcomes] = [all.flatMap((part) => part.changes), all.flatMap((part) => part.outcomes)];
    return { changes: [...changes, ...parked, ...retried, ...state], outcomes };
  }

  /** Returns the triggers to send to fallback receivers because this receiver does not accept them. */
  undelivered(now: Instant): readonly Undelivered[] {
    return undeliveredTriggers(this.#health, this.queues.values(), now);
  }

  /** Whether the receiver counts as failing. */
  readonly isFailing = ({ wall }: Instant): boolean => failingSince(this.#health, wall) !== undefined;

  /** Returns the status of the receiver. */
  view(now: Instant): ReceiverView {
    return receiverView(this.status(), this.queues.values(), now);
  }

  /** Returns the status of the receiver, apart from its queues. */
  status(): ReceiverStatus {
    const allowedAt = nextAllowed(this.#sentTimes, this.#traits);
    return { receiver: this.receiver, health: this.#health, missed: this.#missed.incidents.count, allowedAt };
  }

  /** Names of all incidents, the missed ones included. */
  incidentNames(): ReadonlySet<string> {
    return new Set([...this.queues.names(), ...this.#missed.incidents.newest.map(incidentName)]);
  }

  /** Adds what another process stored for this receiver, except the incidents that this queue knew when the rows were read. */
  adopt({ queues, state }: StoredReceiver, known: ReadonlySet<string>): void {
    this.queues.adopt(queues, known);
    if (state === undefined) return;
    this.#missed.adopt(state.folded, known);
    this.#stateRows.adopt(state);
  }

  /** Removes what concerns clusters that have another owner, and changes nothing in the store. */
  forget(clusters: ReadonlySet<string>): void {
    for (const one of [this.queues, this.#missed, this.#stateRows]) one.forget(clusters);
  }

  /** Resolves the incidents whose alert does not fire, and opens those again that it resolved although their alert fires. */
  reconcile(firing: FiringAlerts, now: Instant): readonly AlertKeyChanges[] {
    return this.queues.values().flatMap((queue) => {
      const step = reconcileQueue(queue, firing, this.#traits.isLevelTriggered, now);
      return step.queue === queue ? [] : [{ key: queue.key, changes: this.#apply(step, now) }];
    });
  }

  /** Ends all incidents and stops to send anything else, because the receiver is removed. */
  retire(now: Instant): readonly AlertKeyChanges[] {
    this.#traits = { ...this.#traits, acceptsDigests: false, isLevelTriggered: false };
    return this.reconcile(new Map(), now);
  }

  /** Returns the stored part of the queue, with which another queue can continue. */
  content(): Required<StoredReceiver> {
    return { queues: this.queues.values(), state: { folded: this.#missed.incidents, ...outageOf(this.#health) } };
  }

  /** Returns the changes that store all of its rows. */
  rows(): readonly StoreChange[] {
    return [...this.queues.rows(), ...this.#stateChanges()];
  }

  /** Drops expired incidents, once a minute. */
  sweep(now: Instant): readonly StoreChange[] {
    if (now.mono - this.#sweptAt < sweepInterval) return [];
    this.#sweptAt = now.mono;
    this.#groups.sweep(this.queues.values());
    return [...this.queues.saveEach((queue) => withoutExpired(queue, now.wall), now), ...this.#clearOutage(now)];
  }

  /** Changes the queue of an alert. */
  update(key: string, change: (queue: AlertQueue) => AlertQueueStep, now: Instant): readonly StoreChange[] {
    const before = this.queues.get(key) ?? emptyAlertQueue(key);
    const step = change(before);
    return step.queue === before ? [] : this.#apply(step, now);
  }

  #enqueue(trigger: Trigger, change: typeof withTrigger, now: Instant): readonly StoreChange[] {
    if (this.#traits.isPager === true && trigger.alert.severity === 'info') return [];
    return this.update(trigger.alert.key, (queue) => change(queue, trigger, now), now);
  }

  #nextAction(now: Instant): NextAction {
    const isPaused = now.mono < this.#health.pausedUntil;
    const queues = isPaused ? this.queues.pages() : this.queues.sendable();
    const options = { preference: retryPreference(this.#health), summaries: this.#groups.summaries };
    const chosen = selectRequest(queues, this.#traits, now, options);
    if (isPaused && !('request' in chosen))
      return { kind: 'wait', until: earliest([chosen.at, this.#health.pausedUntil]), soon: false };
    const isDigestFirst = this.#needsDigestFirst(now);
    if ('request' in chosen && !isDigestFirst) return { kind: 'send', choice: chosen };
    const from = 'request' in chosen ? now.mono : chosen.at;
    // A held change may add missed incidents and is not stored yet; its release wakes the worker.
    if (this.queues.hasHeld && this.#traits.acceptsDigests)
      return { kind: 'wait', until: isDigestFirst ? undefined : from, soon: false };
    const dueAt = this.#traits.acceptsDigests ? this.#missed.dueAt : undefined;
    if ('request' in chosen || (dueAt !== undefined && dueAt <= now.mono)) return this.#digestAction();
    return { kind: 'wait', until: earliest([from, dueAt]), soon: false };
  }

  #apply(step: AlertQueueStep, now: Instant, attempt?: LoggedAttempt): readonly StoreChange[] {
    const kept = this.queues.save(step, now, attempt);
    if (step.missed.length === 0 || !this.#traits.acceptsDigests) return kept;
    this.#missed.add(step.missed, now);
    return [...kept, ...this.#stateChanges()];
  }

  readonly #stateChanges = (): readonly StoreChange[] => this.#stateRows.changes(this.content().state);

  #needsDigestFirst(now: Instant): boolean {
    const isReported = this.#missed.dueAt !== undefined || openIncidentCount(this.queues.values()) > 0;
    return this.#traits.acceptsDigests && isLongOutage(this.#health, now.wall) && isReported;
  }

  #digestAction(): SendAction {
    return this.#missed.action(openIncidentCount(this.queues.values()), this.#health.outage?.since);
  }

  #finishAlert(key: string, attempt: DeliveryAttempt, settled: SettledAttempt): AttemptResult {
    const before = this.queues.get(key) ?? emptyAlertQueue(key);
    const { isLevelTriggered } = this.#traits;
    const retryAt = nextAttemptAt(this.status(), settled.now);
    const finished = finishedAttempt(before, attempt, settled, { isLevelTriggered, retryAt });
    if (finished === undefined) return { changes: [], outcomes: [] };
    return { changes: this.#apply(finished.step, settled.now, finished.logged), outcomes: finished.outcomes };
  }

  #finishDigest(settled: SettledDigest): AttemptResult {
    const { changes, outcomes, isFinished } = this.#missed.finish(settled);
    return { changes: isFinished ? [...changes, ...this.#stateChanges()] : changes, outcomes };
  }

  /** Ends the outage of a receiver without pending notifications, because no attempt shows whether it still fails. */
  #clearOutage(now: Instant): readonly StoreChange[] {
    const { outage, brokenSince, result } = this.#health;
    if (outage === undefined || brokenSince !== undefined || this.#missed.dueAt !== undefined) return [];
    const chosen = selectRequest(this.queues.values(), this.#traits, now);
    if ('request' in chosen || chosen.at !== undefined || this.queues.values().some(hasGivenUp)) return [];
    this.#health = { ...initialHealth(), result };
    return this.#stateChanges();
  }
}
