import type { Ownership } from '../../src/kernel/ownership.ts';
import type { Store } from '../../src/kernel/store.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { AcknowledgementChange, Alert, AlertNotification, Destination, Severity } from '../../src/model/alert.ts';
import type { ReceiverView } from '../../src/model/situation.ts';
import { createDeliverer } from '../../src/notify/create-deliverer.ts';
import type { Deliverer } from '../../src/notify/deliverer.ts';
import type {
  Detail,
  NotificationRequest,
  Notifier,
  NotifierTraits,
  ReceiverResponse,
} from '../../src/notify/notifier.ts';
import type { DeliverySettings, ReceiverSettings } from '../../src/notify/settings.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

/** Traits of a receiver without limits. */
export const unlimited: NotifierTraits = {
  maxBatch: 10,
  minInterval: 0,
  acceptsDigests: true,
  isLevelTriggered: false,
};

export const accepted = { kind: 'accepted' } as const satisfies ReceiverResponse;
export const unreachable = {
  kind: 'unavailable',
  answered: false,
  timedOut: false,
  message: 'refused',
} as const satisfies ReceiverResponse;
export const serverError = {
  kind: 'unavailable',
  answered: true,
  timedOut: false,
  message: '500',
} as const satisfies ReceiverResponse;
export const broken = { kind: 'broken', message: '401' } as const satisfies ReceiverResponse;
export const refused = { kind: 'refused', message: '400' } as const satisfies ReceiverResponse;
export const limited = { kind: 'limited', message: '429' } as const satisfies ReceiverResponse;

export const hour: Millis = 3_600_000;

/** One request as a receiver got it. */
export interface SentRequest {
  readonly at: number;
  readonly request: NotificationRequest;
  readonly detail: Detail;
}

/** A receiver that responds as a test requires; queued responses go first. */
export class FakeReceiver implements Notifier {
  readonly sent: SentRequest[] = [];
  readonly queuedResponses: (ReceiverResponse | 'hang' | Promise<ReceiverResponse>)[] = [];
  defaultResponse: ReceiverResponse | 'hang' = accepted;
  settings: ReceiverSettings | undefined;
  closed = 0;
  traits: NotifierTraits;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, traits: NotifierTraits) {
    this.#clock = clock;
    this.traits = traits;
  }

  async send(
    request: NotificationRequest,
    detail: Detail,
    _now: number,
    signal: AbortSignal,
  ): Promise<ReceiverResponse> {
    this.sent.push({ at: this.#clock.now().mono, request, detail });
    const answer = this.queuedResponses.shift() ?? this.defaultResponse;
    if (answer !== 'hang') return await answer;
    await this.#clock.sleep(1e12, signal);
    return { kind: 'unavailable', answered: false, timedOut: true, message: 'aborted' };
  }

  async recipient(): Promise<string | undefined> {
    const { kind, options = {}, secrets = {} } = this.settings ?? {};
    const values = (this.traits.recipientKeys ?? []).map((key) => options[key] ?? secrets[key]);
    return JSON.stringify([kind, ...values]);
  }

  async close(): Promise<void> {
    this.closed += 1;
  }

  /** The received requests, in short: `trigger a 1`, `resolve a 1`, `again a 1`, `digest 3`. */
  get story(): readonly string[] {
    return this.sent.map(({ request }) => describeRequest(request));
  }

  /** Returns and clears the received requests, in short. */
  take(): readonly string[] {
    const { story } = this;
    this.sent.length = 0;
    return story;
  }
}

function describeRequest(notification: NotificationRequest): string {
  if (notification.kind === 'digest') return `digest ${notification.count}`;
  const reported = notification.alerts.map(({ key, episode, status }) => {
    const { acknowledgement, isReminder, isUpdate } = notification;
    const started = acknowledgement ?? (isUpdate === true ? 'update' : 'trigger');
    const action = status === 'resolved' ? 'resolve' : isReminder ? 'again' : started;
    return `${action} ${key} ${episode}`;
  });
  return reported.join(', ');
}

/** Returns a firing alert. */
export function firing(key: string, episode = 1, severity: Severity = 'critical'): Alert {
  return {
    key,
    episode,
    rule: 'rule',
    severity,
    labels: { alertname: key },
    annotations: { summary: `${key} is wrong` },
    status: 'firing',
    startsAt: 1000,
    generatorUrl: '',
  };
}

/** A deliverer with fake receivers, a fake clock and a store in memory. */
export class DeliveryTestbed {
  readonly clock = new FakeClock();
  readonly log = recordingLogger();
  readonly store: Store;
  readonly receivers = new Map<string, FakeReceiver>();
  deliverer: Deliverer;
  settings: DeliverySettings;
  /** The value that the random generator returns. */
  chance = 0.5;

  readonly #ownership: Ownership | undefined;

  constructor(
    traits: Readonly<Record<string, Partial<NotifierTraits>>>,
    store: Store = memoryStore(),
    ownership?: Ownership,
  ) {
    this.store = store;
    this.#ownership = ownership;
    for (const [name, own] of Object.entries(traits)) {
      this.receivers.set(name, new FakeReceiver(this.clock, { ...unlimited, ...own }));
    }
    this.settings = { receivers: Object.keys(traits).map(settingsOf) };
    this.deliverer = this.#create();
  }

  /** Restores and starts the deliverer. */
  async start(): Promise<this> {
    await this.deliverer.restore();
    this.deliverer.start();
    await this.clock.settle();
    return this;
  }

  /** Simulates a crash: stops without further requests, and starts again with the same store. */
  async restart(): Promise<void> {
    await this.deliverer.stop(AbortSignal.abort());
    this.deliverer = this.#create();
    await this.start();
  }

  receiver(name = 'one'): FakeReceiver {
    const found = this.receivers.get(name);
    if (found === undefined) throw new Error(`there is no receiver ${name}`);
    return found;
  }

  view(name = 'one'): ReceiverView {
    const found = this.deliverer.views(this.clock.now()).find(({ receiver }) => receiver === name);
    if (found === undefined) throw new Error(`there is no view of ${name}`);
    return found;
  }

  async trigger(alert: Alert, other: { readonly again?: boolean; readonly to?: readonly Partial<Destination>[] } = {}) {
    const to = (other.to ?? [{}]).map((one): Destination => ({ receiver: 'one', group: {}, groupWait: 0, ...one }));
    await this.notify({ kind: 'trigger', alert, isReminder: other.again ?? false, to, due: this.clock.now().wall });
  }

  async acknowledge(alert: Alert, change: AcknowledgementChange = 'acknowledged') {
    await this.notify({ kind: 'acknowledge', change, alert, due: this.clock.now().wall });
  }

  async update(alert: Alert) {
    const to = [{ receiver: 'one', group: {}, groupWait: 30_000 }];
    const { wall: due } = this.clock.now();
    await this.notify({ kind: 'trigger', alert, isReminder: false, isUpdate: true, to, due });
  }

  async suppress(alert: Alert) {
    await this.notify({ kind: 'suppress', alert, due: this.clock.now().wall });
  }

  async resolve(alert: Alert) {
    const { wall } = this.clock.now();
    await this.notify({ kind: 'resolve', alert: { ...alert, status: 'resolved', endsAt: wall }, due: wall });
  }

  /** Plans, stores and releases notifications as the daemon does. */
  async notify(...notices: readonly AlertNotification[]): Promise<void> {
    const plan = this.deliverer.plan(notices, this.clock.now());
    await this.store.commit(plan.changes);
    plan.release();
    await this.clock.settle();
  }

  async rows(table: 'lanes' | 'notifications') {
    const found = await this.store.find({ table });
    if (!found.ok) throw new Error(found.error);
    return found.value;
  }

  #create(): Deliverer {
    const { clock, log, store } = this;
    const random = { next: () => this.chance };
    const ownership = this.#ownership === undefined ? {} : { ownership: this.#ownership };
    const openNotifier = (settings: ReceiverSettings) => {
      const receiver = this.receiver(settings.name);
      receiver.settings = settings;
      return receiver;
    };
    return createDeliverer(this.settings, { clock, log, store, random, openNotifier, ...ownership });
  }
}

/** Returns settings of a receiver; the address does not matter. */
export function settingsOf(name: string): ReceiverSettings {
  return { name, heartbeat: false, kind: 'webhook', options: {}, secrets: { url: { file: 'hook' } } };
}
