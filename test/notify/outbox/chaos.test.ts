import { describe, expect, it } from 'vitest';
import type { Alert, AlertNotification } from '../../../src/model/alert.ts';
import type { NotificationRequest, ReceiverResponse } from '../../../src/notify/notifier.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { accepted, broken, DeliveryTestbed, firing, limited, serverError, unreachable } from '../delivery-testbed.ts';

/** Seeded random number generator (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const names = ['pager', 'chat', 'level'];
const keys = ['a', 'b', 'c', 'd', 'e'];
const to = names.map((receiver) => ({ receiver, group: {}, groupWait: 0 }));

/** Receivers that fail at random, with the accepted requests. */
class Chaos {
  readonly chance: () => number;
  readonly delivering = new DeliveryTestbed({
    pager: { maxBatch: 1, acceptsDigests: false },
    chat: { maxBatch: 3, minInterval: 1000 },
    level: { maxBatch: 256, acceptsDigests: false, isLevelTriggered: true },
  });
  readonly taken = new Map<string, NotificationRequest[]>(names.map((name) => [name, []]));
  readonly reported = new Set<string>();
  isCalm = false;
  /** Requests with the trigger of an incident that was suppressed before. */
  readonly leaked: string[] = [];
  readonly hidden = new Set<string>();
  readonly #open = new Map<string, Alert>();
  readonly #suppressed = new Set<string>();
  readonly #episodes = new Map<string, number>();

  constructor(seed: number) {
    this.chance = chanceOf(seed);
    for (const name of names) this.#derange(name);
  }

  async run(steps: number): Promise<void> {
    await this.delivering.start();
    for (let step = 0; step < steps; step += 1) await this.#step();
    this.isCalm = true;
    for (const key of this.#open.keys().toArray()) await this.#toggle(key);
    await this.delivering.clock.advance(7_200_000);
  }

  async #step(): Promise<void> {
    const dice = this.chance();
    if (dice < 0.5) await this.#toggle(keys[Math.floor(this.chance() * keys.length)] ?? 'a');
    else if (dice < 0.57) await this.delivering.restart();
    else if (dice < 0.6) await this.delivering.clock.advance(this.chance() * 3_600_000);
    else if (dice < 0.7) await this.#toggleSuppression(keys[Math.floor(this.chance() * keys.length)] ?? 'a');
    else await this.delivering.clock.advance(this.chance() * 20_000);
  }

  async #toggle(key: string): Promise<void> {
    const open = this.#open.get(key);
    if (open === undefined) return this.#begin(key);
    this.#open.delete(key);
    this.#suppressed.delete(key);
    const { wall } = this.delivering.clock.now();
    await this.#notify({ kind: 'resolve', alert: { ...open, status: 'resolved', endsAt: wall }, due: wall });
  }

  async #toggleSuppression(key: string): Promise<void> {
    const alert = this.#open.get(key);
    if (alert === undefined) return;
    const { wall: due } = this.delivering.clock.now();
    if (this.#suppressed.delete(key)) return this.#notify({ kind: 'trigger', alert, isReminder: false, to, due });
    this.hidden.add(`${key} ${alert.episode}`);
    await this.#notify({ kind: 'suppress', alert, due });
    this.#suppressed.add(key);
  }

  async #begin(key: string): Promise<void> {
    const { wall } = this.delivering.clock.now();
    const episode = (this.#episodes.get(key) ?? 0) + 1;
    const alert = { ...firing(key, episode), startsAt: wall };
    this.#episodes.set(key, episode);
    this.#open.set(key, alert);
    this.reported.add(`${key} ${episode}`);
    await this.#notify({ kind: 'trigger', alert, isReminder: false, to, due: wall });
  }

  /** Commits a notification, and sometimes restarts right after: a stored notification must be delivered. */
  async #notify(notice: AlertNotification): Promise<void> {
    const { deliverer, store, clock } = this.delivering;
    const plan = deliverer.plan([notice], clock.now());
    await store.commit(plan.changes);
    if (this.chance() < 0.1) return this.delivering.restart();
    plan.release();
    await clock.settle();
  }

  /** A level-triggered receiver gets the state of an accepted incident again and again. */
  #checkSuppression(name: string, notification: NotificationRequest): void {
    if (notification.kind === 'digest') return;
    const known = new Set(name === 'level' ? storyOf(this.taken.get(name) ?? []) : []);
    for (const { key, episode, status } of notification.alerts) {
      const isSuppressed = this.#open.get(key)?.episode === episode && this.#suppressed.has(key);
      const isRefresh = known.has(`firing ${key} ${episode}`);
      if (status === 'firing' && isSuppressed && !isRefresh) this.leaked.push(`${name} ${key} ${episode}`);
    }
  }

  #derange(name: string): void {
    const receiver = this.delivering.receiver(name);
    receiver.send = async (notification, _detail, _now, signal) => {
      const dice = this.isCalm ? 1 : this.chance();
      this.#checkSuppression(name, notification);
      const isTaken = dice > 0.45 || (dice > 0.1 && dice < 0.25);
      if (isTaken) this.taken.get(name)?.push(notification);
      if (dice > 0.45) return accepted;
      if (dice > 0.4) return { ...limited, wait: this.chance() * 10_000 };
      if (dice > 0.37) return broken;
      if (dice > 0.22) return this.chance() < 0.5 ? serverError : unreachable;
      await this.delivering.clock.sleep(this.chance() * 40_000, signal);
      const late: ReceiverResponse = { kind: 'unavailable', answered: false, timedOut: true, message: 'late' };
      return dice < 0.15 ? late : unreachable;
    };
  }
}

/** Returns the accepted alerts in order, one line each. */
function storyOf(notifications: readonly NotificationRequest[]): readonly string[] {
  return notifications.flatMap((notification) =>
    notification.kind === 'alerts'
      ? notification.alerts.map(({ key, episode, status }) => `${status} ${key} ${episode}`)
      : [],
  );
}

function endsBeforeBeginnings(story: readonly string[]): readonly string[] {
  const begun = new Set<string>();
  return story.filter((line) => {
    if (line.startsWith('firing')) begun.add(line.slice('firing '.length));
    return line.startsWith('resolved') && !begun.has(line.slice('resolved '.length));
  });
}

/** Returns the incidents whose last accepted alert is firing. */
function leftOpen(story: readonly string[]): readonly string[] {
  const last = new Map(story.map((line) => [line.replace(/^\w+ /, ''), line.startsWith('firing')]));
  return [...last].filter(([, isOpen]) => isOpen).map(([incident]) => incident);
}

function digested(notifications: readonly NotificationRequest[]): readonly string[] {
  return notifications.flatMap((notification) =>
    notification.kind === 'digest' ? notification.missed.map(({ key, episode }) => `${key} ${episode}`) : [],
  );
}

describe('oracle', () => {
  it('finds resolves before their triggers, and incidents that remain open', () => {
    const story = [
      'firing a 1',
      'resolved a 1',
      'resolved a 2',
      'firing b 1',
      'firing c 1',
      'resolved c 1',
      'firing c 1',
    ];
    expect(endsBeforeBeginnings(story)).toEqual(['resolved a 2']);
    expect(leftOpen(story)).toEqual(['b 1', 'c 1']);
  });
});

describe('receivers that fail at random, with restarts', () => {
  it.each(Array.from({ length: numberOfRuns({ short: 9, campaign: 40 }) }, (_, seed) => seed + 1))(
    'lose no notification, seed %d',
    async (seed) => {
      const chaos = new Chaos(seed);
      await chaos.run(120);
      for (const name of names) {
        const notifications = chaos.taken.get(name) ?? [];
        const story = storyOf(notifications);
        // The receiver of a resolve without a trigger answered the trigger with an error, and may have accepted it.
        const unexpected = endsBeforeBeginnings(story).filter((line) => !chaos.hidden.has(line.slice(9)));
        expect([name, unexpected]).toEqual([name, []]);
        expect([name, leftOpen(story)]).toEqual([name, []]);
        const view = chaos.delivering.view(name);
        // A broken receiver stays broken until the next attempt, which needs a pending notification.
        expect(view).toMatchObject({ depth: 0, parked: 0, failing: view.result === 'broken' });
      }
      const chat = chaos.taken.get('chat') ?? [];
      const received = new Set([...digested(chat), ...storyOf(chat).map((line) => line.replace(/^\w+ /, ''))]);
      const missing = [...chaos.reported].filter((incident) => !received.has(incident) && !chaos.hidden.has(incident));
      expect([missing, chaos.leaked]).toEqual([[], []]);
      expect(await chaos.delivering.rows('lanes')).toEqual([]);
    },
  );
});
