import type { Logger } from '../kernel/logger.ts';
import type { Ownership } from '../kernel/ownership.ts';
import type { Store, StoreChange } from '../kernel/store.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { shortIncidentId } from '../model/alert.ts';
import { clusterOfQueue, receiverDeletion, type StoredOutbox, type StoredReceiver } from './outbox/outbox-store.ts';
import { type HeldQueue, hold, type ReceiverDelivery, releaseAll } from './receiver-delivery.ts';

/** Ports of {@link RemovedReceivers}. */
export interface RemovedReceiversPorts {
  readonly clock: Clock;
  readonly store: Store;
  readonly log: Logger;
  /** Absent: this process owns all clusters. */
  readonly ownership?: Pick<Ownership, 'isShared'>;
}

/** How long a removed receiver is sent the end of its incidents, and how long its rows are kept without settings. */
const retention: Millis = 86_400_000;
const checkInterval: Millis = 1000;
const maxReportedIncidents = 20;

/** Receivers that left the configuration: each gets the end of its open incidents before its rows are deleted. */
export class RemovedReceivers {
  readonly #ports: RemovedReceiversPorts;
  readonly #deliveries = new Map<string, ReceiverDelivery>();
  readonly #unconfigured = new WeakSet<StoredReceiver>();
  readonly #stopped = new AbortController();

  constructor(ports: RemovedReceiversPorts) {
    this.#ports = ports;
  }

  get(name: string): ReceiverDelivery | undefined {
    return this.#deliveries.get(name);
  }

  values(): Iterable<ReceiverDelivery> {
    return this.#deliveries.values();
  }

  /** Removes and returns a receiver that is configured again. */
  take(name: string): ReceiverDelivery | undefined {
    const delivery = this.#deliveries.get(name);
    this.#deliveries.delete(name);
    return delivery;
  }

  /** Ends all incidents at a receiver, and deletes its rows when it has accepted that, or after a day. */
  async add(delivery: ReceiverDelivery): Promise<void> {
    const { clock, store } = this.#ports;
    this.#deliveries.set(delivery.queue.receiver, delivery);
    const held: HeldQueue[] = [];
    await store.commit(hold(delivery, delivery.queue.retire(clock.now()), held));
    releaseAll(held);
    void this.#finish(delivery);
  }

  /** Reports receivers whose settings are gone, since nothing can be sent there, and deletes their rows after a day. */
  keepUnconfigured(stored: StoredOutbox): void {
    for (const [receiver, one] of stored) {
      if (this.#unconfigured.has(one)) continue;
      this.#unconfigured.add(one);
      const open = openIncidents(one);
      const advice = 'configure the receiver again under this name, or resolve the incidents there';
      if (open.length > 0) {
        this.#ports.log.error('receiver removed with open incidents', { ...fieldsOf(receiver, open), advice });
      }
      void this.#dropUnconfigured(receiver, stored);
    }
  }

  /** Returns the changes that delete the rows of a receiver; other replicas delete those of their clusters. */
  #deletion(receiver: string, { queues }: StoredReceiver): readonly StoreChange[] {
    const isShared = this.#ports.ownership?.isShared === true;
    return receiverDeletion(receiver, isShared ? new Set(queues.map(clusterOfQueue)) : undefined);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #finish(delivery: ReceiverDelivery): Promise<void> {
    const { clock, store, log } = this.#ports;
    const { queue, worker } = delivery;
    const { receiver } = queue;
    const until = clock.now().mono + retention;
    const isRemoved = (): boolean => this.get(receiver) === delivery && !this.#stopped.signal.aborted;
    while (isRemoved() && !queue.queues.isFinished && clock.now().mono < until) {
      await clock.sleep(checkInterval, this.#stopped.signal);
    }
    if (!isRemoved()) return;
    this.#deliveries.delete(receiver);
    await worker.finish();
    await store.commit(this.#deletion(receiver, queue.content()));
    const open = openIncidents(queue.content());
    if (open.length === 0) log.info('receiver removed', { receiver });
    else log.error('open incidents of a removed receiver dropped', fieldsOf(receiver, open));
  }

  async #dropUnconfigured(receiver: string, all: StoredOutbox): Promise<void> {
    const { clock, store, log } = this.#ports;
    const stored = all.get(receiver);
    if (stored === undefined) return;
    const open = openIncidents(stored);
    if (open.length > 0) await clock.sleep(retention, this.#stopped.signal);
    if (this.#stopped.signal.aborted || all.get(receiver) !== stored) return;
    all.delete(receiver);
    await store.commit(this.#deletion(receiver, stored));
    if (open.length > 0) log.error('open incidents of a removed receiver dropped', fieldsOf(receiver, open));
  }
}

/** Returns the ids of the incidents that the receiver may have open. */
function openIncidents({ queues }: StoredReceiver): readonly string[] {
  const incidents = queues.flatMap((queue) => queue.incidents);
  return incidents
    .filter(({ over, deliveryState }) => !over && deliveryState !== 'no')
    .map(({ alert }) => shortIncidentId(alert));
}

function fieldsOf(receiver: string, open: readonly string[]): Readonly<Record<string, unknown>> {
  return { receiver, open: open.length, incidents: open.slice(0, maxReportedIncidents) };
}
