import type { Store } from '../../src/kernel/store.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Alert, Destination, Notice, Severity } from '../../src/model/alert.ts';
import type { ReceiverView } from '../../src/model/situation.ts';
import { createDeliverer } from '../../src/notify/create-deliverer.ts';
import type { Deliverer } from '../../src/notify/deliverer.ts';
import type { Answer, Detail, Letter, Notifier, NotifierTraits } from '../../src/notify/notifier.ts';
import type { DeliverySettings, ReceiverSettings } from '../../src/notify/settings.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

/** A receiver without limits that takes everything. */
export const easy: NotifierTraits = {
  batch: 10,
  spacing: 0,
  takesDigests: true,
  forgets: false,
};

export const accepted = { kind: 'accepted' } as const satisfies Answer;
export const unreachable = {
  kind: 'unavailable',
  answered: false,
  timedOut: false,
  message: 'refused',
} as const satisfies Answer;
export const serverError = {
  kind: 'unavailable',
  answered: true,
  timedOut: false,
  message: '500',
} as const satisfies Answer;
export const broken = { kind: 'broken', message: '401' } as const satisfies Answer;
export const refused = { kind: 'refused', message: '400' } as const satisfies Answer;
export const limited = { kind: 'limited', message: '429' } as const satisfies Answer;

export const hour: Millis = 3_600_000;

/** One letter as a receiver got it. */
export interface Got {
  readonly at: number;
  readonly letter: Letter;
  readonly detail: Detail;
}

/** A receiver that answers as a test says; answers that were queued go first. */
export class FakeReceiver implements Notifier {
  readonly got: Got[] = [];
  readonly queued: (Answer | 'hang')[] = [];
  otherwise: Answer | 'hang' = accepted;
  closed = 0;
  traits: NotifierTraits;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, traits: NotifierTraits) {
    this.#clock = clock;
    this.traits = traits;
  }

  async send(letter: Letter, detail: Detail, _now: number, signal: AbortSignal): Promise<Answer> {
    this.got.push({ at: this.#clock.now().mono, letter, detail });
    const answer = this.queued.shift() ?? this.otherwise;
    if (answer !== 'hang') return answer;
    await this.#clock.sleep(1e12, signal);
    return { kind: 'unavailable', answered: false, timedOut: true, message: 'aborted' };
  }

  async close(): Promise<void> {
    this.closed += 1;
  }

  /** What it got, in short: `trigger a 1`, `resolve a 1`, `again a 1`, `digest 3`. */
  get story(): readonly string[] {
    return this.got.map(({ letter }) => inShort(letter));
  }

  /** What came since the last look, in short. */
  take(): readonly string[] {
    const { story } = this;
    this.got.length = 0;
    return story;
  }
}

function inShort(letter: Letter): string {
  if (letter.kind === 'digest') return `digest ${letter.count}`;
  const told = letter.alerts.map(({ key, episode, status }) => {
    const action = status === 'resolved' ? 'resolve' : letter.again ? 'again' : 'trigger';
    return `${action} ${key} ${episode}`;
  });
  return told.join(', ');
}

/** An alert that fires. */
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

/** A delivery with fake receivers, a fake clock and a store in memory. */
export class Delivering {
  readonly clock = new FakeClock();
  readonly log = recordingLogger();
  readonly store: Store;
  readonly receivers = new Map<string, FakeReceiver>();
  deliverer: Deliverer;
  settings: DeliverySettings;
  /** What chance gives. */
  chance = 0.5;

  constructor(traits: Readonly<Record<string, Partial<NotifierTraits>>>, store: Store = memoryStore()) {
    this.store = store;
    for (const [name, own] of Object.entries(traits)) {
      this.receivers.set(name, new FakeReceiver(this.clock, { ...easy, ...own }));
    }
    this.settings = { receivers: Object.keys(traits).map(settingsOf) };
    this.deliverer = this.#create();
  }

  /** Restores and starts. */
  async begin(): Promise<this> {
    await this.deliverer.restore();
    this.deliverer.start();
    await this.clock.settle();
    return this;
  }

  /** Ends as a crash would: nothing is told any more, and begins anew with the same store. */
  async restart(): Promise<void> {
    await this.deliverer.stop(AbortSignal.abort());
    this.deliverer = this.#create();
    await this.begin();
  }

  get(name = 'one'): FakeReceiver {
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
    await this.tell({ kind: 'trigger', alert, again: other.again ?? false, to, due: this.clock.now().wall });
  }

  async resolve(alert: Alert) {
    const { wall } = this.clock.now();
    await this.tell({ kind: 'resolve', alert: { ...alert, status: 'resolved', endsAt: wall }, due: wall });
  }

  /** Plans, stores and releases, as the daemon does. */
  async tell(...notices: readonly Notice[]): Promise<void> {
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
    const openNotifier = ({ name }: ReceiverSettings) => this.get(name);
    return createDeliverer(this.settings, { clock, log, store, random, openNotifier });
  }
}

/** Settings of a receiver; its way is of no interest here. */
export function settingsOf(name: string): ReceiverSettings {
  return { name, heartbeat: false, way: { kind: 'webhook', url: { file: 'hook' } } };
}
