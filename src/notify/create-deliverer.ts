import type { Logger } from '../kernel/logger.ts';
import { same } from '../kernel/same.ts';
import type { Change, Store } from '../kernel/store.ts';
import type { Random } from '../kernel/system.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { Notice } from '../model/alert.ts';
import type { ReceiverView } from '../model/situation.ts';
import type { Deliverer, Plan } from './deliverer.ts';
import type { Notifier } from './notifier.ts';
import { Courier, type CourierListener } from './outbox/courier.ts';
import type { Ending } from './outbox/endings.ts';
import { Queue } from './outbox/queue.ts';
import { type Kept, restoreOutbox } from './outbox/restore.ts';
import { receiverDropped } from './outbox/rows.ts';
import { Tally } from './outbox/tally.ts';
import type { DeliverySettings, ReceiverSettings } from './settings.ts';

/** What delivery works with. */
export interface DelivererPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly log: Logger;
  readonly openNotifier: (receiver: ReceiverSettings, settings: DeliverySettings) => Notifier;
}

/** One receiver: what it is owed, who carries it there, and what became of it. */
interface Post {
  readonly queue: Queue;
  readonly courier: Courier;
  readonly tally: Tally;
}

/** Sends what alerting wants to be told, and remembers what is owed until it was accepted. */
export function createDeliverer(settings: DeliverySettings, ports: DelivererPorts): Deliverer {
  return new Outbox(settings, ports);
}

/** Something that one receiver has to take. */
interface Order {
  readonly post: Post;
  readonly take: (queue: Queue) => readonly Change[];
}

class Outbox implements Deliverer {
  readonly #ports: DelivererPorts;
  readonly #posts = new Map<string, Post>();
  #settings: DeliverySettings;
  #kept: Kept = new Map();
  #isStarted = false;

  constructor(settings: DeliverySettings, ports: DelivererPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async restore(): Promise<void> {
    this.#kept = await restoreOutbox(this.#ports.store);
    await this.reconfigure(this.#settings);
  }

  start(): void {
    this.#isStarted = true;
    for (const { courier } of this.#posts.values()) courier.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#posts.values()].map(({ courier }) => courier.stop(signal)));
  }

  plan(notices: readonly Notice[], now: Instant): Plan {
    const held: (readonly [Post, lane: string])[] = [];
    const changes = notices.flatMap((notice) => {
      const lane = notice.alert.key;
      return this.#ordersOf(notice, now).flatMap(({ post, take }) => {
        const made = take(post.queue);
        if (made.length > 0) {
          post.queue.hold(lane);
          held.push([post, lane]);
        }
        return made;
      });
    });
    return { changes, release: () => releaseAll(held.splice(0)) };
  }

  async reconfigure(settings: DeliverySettings): Promise<void> {
    const { receivers, externalUrl } = this.#settings;
    const before = new Map(receivers.map((receiver) => [receiver.name, receiver]));
    this.#settings = settings;
    const wanted = new Set(settings.receivers.map(({ name }) => name));
    for (const receiver of settings.receivers) {
      const known = this.#posts.get(receiver.name);
      if (known === undefined) this.#open(receiver);
      else if (externalUrl !== settings.externalUrl || !same(receiver, before.get(receiver.name)))
        known.courier.use(this.#ports.openNotifier(receiver, settings));
    }
    const gone = [...this.#posts.keys(), ...this.#kept.keys()].filter((name) => !wanted.has(name));
    for (const receiver of new Set(gone)) await this.#giveUp(receiver);
  }

  views(now: Instant): readonly ReceiverView[] {
    return [...this.#posts.values()].map(({ queue }) => queue.view(now));
  }

  *samples(now: Instant): Generator<Sample> {
    for (const { queue, tally } of this.#posts.values()) yield* tally.samples(queue.view(now));
  }

  #open(settings: ReceiverSettings): void {
    const { name } = settings;
    const notifier = this.#ports.openNotifier(settings, this.#settings);
    const kept = this.#kept.get(name);
    const queue = new Queue(name, notifier.traits, kept?.lanes, kept?.standing);
    const tally = new Tally(name);
    const settled: CourierListener['settled'] = (endings, now) => {
      for (const ending of endings) tally.note(ending, now.wall);
      return this.#fallBack(queue, endings, now);
    };
    const courier = new Courier(queue, notifier, { settled }, this.#ports);
    this.#posts.set(name, { queue, courier, tally });
    if (this.#isStarted) courier.start();
  }

  /** Who has to take a notice. */
  #ordersOf(notice: Notice, now: Instant): readonly Order[] {
    const { alert, due } = notice;
    if (notice.kind === 'resolve') {
      return [...this.#posts.values()].map((post) => ({ post, take: (queue) => queue.resolve(alert, due, now) }));
    }
    const { again } = notice;
    return notice.to.flatMap((to) => {
      const trigger = { alert, again, to, due };
      const post = this.#posts.get(to.receiver);
      const isLost = to.fallback !== undefined && post?.queue.isFailing(now) !== false;
      const other = isLost ? this.#posts.get(to.fallback) : undefined;
      const instead = { ...trigger, to: { receiver: to.fallback ?? '', group: to.group, groupWait: 0 } };
      return [
        ...orderOf(post, (queue) => queue.trigger(trigger, now)),
        ...orderOf(other, (queue) => queue.trigger(instead, now)),
      ];
    });
  }

  /** What a receiver does not take goes to the one that was named for that case, once. */
  #fallBack(queue: Queue, endings: readonly Ending[], now: Instant): readonly Change[] {
    if (!queue.isFailing(now) && endings.every(({ result }) => result !== 'parked')) return [];
    return queue.undelivered(now).flatMap(({ fallback, trigger }) => {
      const post = this.#posts.get(fallback);
      if (post === undefined) return [];
      const changes = post.queue.standIn(trigger, now);
      if (changes.length > 0) post.courier.wake();
      return changes;
    });
  }

  async #giveUp(receiver: string): Promise<void> {
    const post = this.#posts.get(receiver);
    const lanes = post?.queue.view(this.#ports.clock.now()).depth ?? this.#kept.get(receiver)?.lanes.length ?? 0;
    this.#posts.delete(receiver);
    this.#kept.delete(receiver);
    await post?.courier.stop(AbortSignal.abort());
    await this.#ports.store.commit([receiverDropped(receiver)]);
    if (lanes > 0) this.#ports.log.warn('a receiver is gone, what it is owed is given up', { receiver, owed: lanes });
  }
}

function orderOf(post: Post | undefined, take: Order['take']): readonly Order[] {
  return post === undefined ? [] : [{ post, take }];
}

function releaseAll(held: readonly (readonly [Post, lane: string])[]): void {
  for (const [{ queue, courier }, lane] of held) {
    queue.free(lane);
    courier.wake();
  }
}
