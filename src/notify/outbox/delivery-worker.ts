import { waitUnlessAborted } from '../../kernel/deadline.ts';
import type { Logger } from '../../kernel/logger.ts';
import { mayNotify, type NotificationOwnership, soleOwnership } from '../../kernel/ownership.ts';
import type { Store, StoreChange } from '../../kernel/store.ts';
import type { Random } from '../../kernel/system.ts';
import type { Clock, Instant, Millis } from '../../kernel/time.ts';
import { clusterOfAlert, shortIncidentId } from '../../model/alert.ts';
import type { NotificationRequest, Notifier, ReceiverResponse } from '../notifier.ts';
import { type AttemptOutcome, decisiveResponse, type SendAction } from './delivery-attempt.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { withRecipient } from './reconcile-queue.ts';

/** Dependencies of a delivery worker. */
export interface DeliveryWorkerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly log: Logger;
  /** Absent: this process owns all clusters. */
  readonly ownership?: NotificationOwnership;
}

/** Callbacks of a delivery worker. */
export interface DeliveryListener {
  /**
   * Called after each attempt, and without outcomes at least once a minute, because a receiver can count as failing long
   * before its next attempt. The returned changes are stored together with the result of the attempt.
   */
  settled(outcomes: readonly AttemptOutcome[], now: Instant): readonly StoreChange[];
}

/** Maximum duration of one attempt. */
const timeout: Millis = 30_000;

/** Sends the notifications of one receiver, one request at a time; a slow receiver does not delay the others. */
export class DeliveryWorker {
  readonly queue: NotificationQueue;
  readonly #ports: DeliveryWorkerPorts;
  readonly #listener: DeliveryListener;
  #notifier: Notifier;
  readonly #retired: Notifier[] = [];
  #sleepController = new AbortController();
  #wasWoken = false;
  readonly #stopController = new AbortController();
  #isDraining = false;
  #isFinishing = false;
  #running: Promise<void> | undefined;
  /** Last state of the receiver that was logged. */
  #lastLogged = '';
  #isStored = true;
  /** The attempt in progress, until its result is stored. */
  #inFlight: { readonly request: NotificationRequest; readonly ended: Promise<void> } | undefined;

  constructor(queue: NotificationQueue, notifier: Notifier, listener: DeliveryListener, ports: DeliveryWorkerPorts) {
    this.queue = queue;
    this.#notifier = notifier;
    this.#listener = listener;
    this.#ports = { ...ports, log: ports.log.with({ receiver: queue.receiver }) };
  }

  /** Starts to send. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Checks the queue at once, because a notification was added. */
  wake(): void {
    this.#wasWoken = true;
    // Thousands of notifications may be added at once, and one abort is enough.
    if (!this.#sleepController.signal.aborted) this.#sleepController.abort('woken');
  }

  /** Replaces the notifier, for example after a change of the settings. */
  replaceNotifier(notifier: Notifier): void {
    this.#retired.push(this.#notifier);
    this.#notifier = notifier;
    this.queue.useTraits(notifier.traits, this.#ports.clock.now());
    this.wake();
  }

  /** Sends due notifications until the signal aborts, then stops. A request that is in flight then counts as possibly delivered. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    if (signal.aborted) this.#stopController.abort();
    signal.addEventListener('abort', () => this.#stopController.abort(), { once: true });
    this.wake();
    await this.#running;
    await Promise.all([this.#notifier, ...this.#retired].map((notifier) => notifier.close()));
  }

  /** Resolves when no request about these clusters is in flight, or when the signal aborts. */
  async settle(clusters: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const inFlight = this.#inFlight;
    const isAwaited = inFlight !== undefined && clustersOf(inFlight.request).some((one) => clusters.has(one));
    if (isAwaited) await waitUnlessAborted(inFlight.ended, signal);
  }

  /** Stops after the request in flight, without further requests. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.wake();
    await this.#running;
    await Promise.all([this.#notifier, ...this.#retired].map((notifier) => notifier.close()));
  }

  async #run(): Promise<void> {
    while (!this.#stopController.signal.aborted && !this.#isFinishing) {
      await this.#closeRetired();
      this.#wasWoken = false;
      const recipient = await this.#notifier.recipient();
      const now = this.#ports.clock.now();
      await this.#save(this.#compareRecipients(recipient, now));
      await this.#save([...this.queue.sweep(now), ...this.#listener.settled([], now)]);
      const next = this.queue.next(now);
      if (next.kind === 'send' && !this.#mayDeliver(next)) {
        if (this.#isDraining) return;
        await this.#sleep(now.mono + leaseCheckInterval);
      } else if (next.kind === 'send') await this.#track({ ...next, recipient });
      else if (this.#isDraining && !next.soon) return;
      else await this.#sleep(next.until);
    }
  }

  /** Sends the open incidents again if another recipient got them: before a reload, before a restart or by another replica. */
  #compareRecipients(recipient: string | undefined, now: Instant): readonly StoreChange[] {
    return recipient === undefined ? [] : this.queue.queues.saveEach((one) => withRecipient(one, recipient, now), now);
  }

  async #track(action: SendAction): Promise<void> {
    const ended = this.#deliver(action);
    this.#inFlight = { request: action.choice.request, ended };
    await ended;
    this.#inFlight = undefined;
  }

  /** Sends a request even if the store fails: a duplicate is better than a lost notification. */
  async #deliver(action: SendAction): Promise<void> {
    const { clock, random } = this.#ports;
    const marked = this.queue.startAttempt(action, clock.now());
    await this.#save(marked);
    // The write may have taken long. What is not sent counts as possibly delivered, and the owner sends it again.
    if (!this.#mayDeliver(action)) return;
    const response = await this.#send(action);
    if (response === undefined) return;
    const answer = decisiveResponse(response, action.choice);
    const now = clock.now();
    const { changes, outcomes } = this.queue.finishAttempt(action, answer, now, () => random.next());
    this.#logResponse(answer, outcomes);
    await this.#save([...changes, ...this.#listener.settled(outcomes, now)]);
  }

  /** Whether it is certain that no other replica sends notifications about the clusters of the request. */
  #mayDeliver({ choice }: SendAction): boolean {
    return mayNotify(this.#ports.ownership ?? soleOwnership, clustersOf(choice.request));
  }

  /** Commits changes. If the store fails, logs that and continues with the state in memory. */
  async #save(changes: readonly StoreChange[]): Promise<void> {
    if (changes.length === 0) return;
    const { store, log } = this.#ports;
    const kept = await store.commit(changes);
    if (!kept.ok && this.#isStored) log.warn('notification queue write failed', { error: kept.error });
    this.#isStored = kept.ok;
  }

  /** Returns the response; undefined if the worker stops, or loses a cluster, before the receiver responds. */
  async #send(action: SendAction): Promise<ReceiverResponse | undefined> {
    const { clock, ownership } = this.#ports;
    const { detail } = action.choice;
    let isWithheld = false;
    const mayWrite = (): boolean => {
      isWithheld = !this.#mayDeliver(action);
      return !isWithheld;
    };
    const request = ownership === undefined ? action.choice.request : { ...action.choice.request, mayWrite };
    const over = new AbortController();
    const answered = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#stopController.signal]);
    const attempt = this.#callNotifier(() => this.#notifier.send(request, detail, clock.now().wall, signal));
    const answer = attempt.finally(() => answered.abort('answered')); // Without a reason it would create an error.
    const late = clock.sleep(timeout, AbortSignal.any([answered.signal, this.#stopController.signal]));
    const first = await Promise.race([answer, late.then(() => undefined)]);
    if (isWithheld && first?.kind !== 'accepted') return undefined;
    if (first !== undefined)
      return this.#stopController.signal.aborted && first.kind !== 'accepted' ? undefined : first;
    // The response also ends the sleep. Work that continues after the response, such as the request to a second peer,
    // is not a timeout.
    if (answered.signal.aborted) return answer;
    over.abort();
    return this.#stopController.signal.aborted ? undefined : noResponse;
  }

  async #callNotifier(send: () => Promise<ReceiverResponse>): Promise<ReceiverResponse> {
    try {
      return await send();
    } catch (error) {
      this.#ports.log.error('notifier threw an exception', { error });
      return { ...noResponse, timedOut: false, message: 'the notification could not be sent' };
    }
  }

  async #closeRetired(): Promise<void> {
    for (const notifier of this.#retired.splice(0)) await notifier.close();
  }

  async #sleep(until: number | undefined): Promise<void> {
    if (this.#wasWoken) return;
    this.#sleepController = new AbortController();
    const length = until === undefined ? maxSleep : Math.min(maxSleep, until - this.#ports.clock.now().mono);
    await this.#ports.clock.sleep(
      Math.max(0, length),
      AbortSignal.any([this.#sleepController.signal, this.#stopController.signal]),
    );
  }

  #logResponse(response: ReceiverResponse, outcomes: readonly AttemptOutcome[]): void {
    const { log } = this.#ports;
    const message = 'message' in response ? response.message : '';
    for (const { result, key, episode, action } of outcomes) {
      const about = key === '' ? { action } : { incident: shortIncidentId({ key, episode }), action };
      if (result === 'accepted' || result === 'partial') log.info('notification accepted', about);
      else if (result === 'parked') log.error('notification parked', { ...about, error: message });
      else log.info('notification failed', { ...about, result, error: message });
    }
    const state = response.kind === 'accepted' ? (response.but ?? '') : response.kind;
    if (state === this.#lastLogged) return;
    this.#lastLogged = state;
    if (response.kind === 'accepted' && state !== '') log.warn('notification partially accepted', { error: state });
    else if (response.kind === 'accepted') log.info('delivery recovered');
    else log.warn('delivery failing', { result: response.kind, error: message });
  }
}

/** Returns the clusters whose alerts a request is about; `''` for alerts about graphwarden itself. */
function clustersOf(request: NotificationRequest): readonly string[] {
  if (request.kind === 'alerts') return request.alerts.map(clusterOfAlert);
  return request.missed.map(({ cluster = '' }) => cluster);
}

/** Time after which a worker checks again whether it may send. */
const leaseCheckInterval: Millis = 250;

/** Interval at which an idle worker checks its queue for expired incidents. */
const maxSleep: Millis = 60_000;

const noResponse: Extract<ReceiverResponse, { kind: 'unavailable' }> = {
  kind: 'unavailable',
  answered: false,
  timedOut: true,
  message: `no answer within ${timeout / 1000} s`,
};
