import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/model/alert.ts';
import type { IncidentDelivery, NotificationRecord } from '../../../src/model/delivery.ts';
import type { ReceiverResponse } from '../../../src/notify/notifier.ts';
import { parseNotification } from '../../../src/notify/outbox/notification-rows.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import {
  accepted,
  broken,
  DeliveryTestbed,
  firing,
  hour,
  limited,
  refused,
  serverError,
  unreachable,
} from '../delivery-testbed.ts';

async function logOf(delivering: DeliveryTestbed): Promise<readonly NotificationRecord[]> {
  const rows = await delivering.rows('notifications');
  const entries = rows.map((row) => parseNotification(row) ?? expect.fail(JSON.stringify(row)));
  return entries.toSorted((one, other) => one.at - other.at);
}

function stateOf(delivering: DeliveryTestbed, episode = 1, key = 'a'): IncidentDelivery | undefined {
  return delivering.deliverer.deliveries({ key, episode }, delivering.clock.now())[0];
}

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

const responses: readonly ReceiverResponse[] = [
  accepted,
  accepted,
  accepted,
  serverError,
  unreachable,
  { ...limited, wait: 20_000 },
  broken,
  refused,
];

/** Sends random events of a few incidents to one receiver, whose responses are random. */
class RandomEvents {
  readonly #chance: () => number;
  readonly delivering: DeliveryTestbed;
  readonly #numbers = new Map<string, number>();
  readonly #open = new Map<string, Alert>();
  #revision = 0;
  /** All incidents so far. */
  readonly incidents: Pick<Alert, 'key' | 'episode'>[] = [];

  constructor(seed: number) {
    this.#chance = chanceOf(seed);
    const isLevelTriggered = seed % 3 === 0;
    const acceptsDigests = !isLevelTriggered && seed % 2 === 0;
    this.delivering = new DeliveryTestbed({ one: { maxBatch: 1 + (seed % 4), isLevelTriggered, acceptsDigests } });
  }

  async step(): Promise<void> {
    const { delivering } = this;
    delivering.receiver().defaultResponse = this.#pick(responses);
    await delivering.clock.advance(1);
    const key = this.#pick(['a', 'b', 'c']);
    const open = this.#open.get(key);
    const dice = this.#chance();
    if (dice < 0.3) await delivering.clock.advance(this.#chance() * 60_000);
    else if (dice < 0.32) await delivering.clock.advance(26 * hour);
    else if (dice < 0.36) await delivering.restart();
    else if (dice < 0.4) await this.#reconcile();
    else if (open === undefined) await this.#begin(key);
    else if (dice < 0.7) await this.#end(key, open);
    else await this.#change(key, open);
  }

  async #reconcile(): Promise<void> {
    const { deliverer, clock, store } = this.delivering;
    const plan = deliverer.reconcile(this.#open, clock.now());
    await store.commit(plan.changes);
    plan.release();
    await clock.settle();
  }

  async #begin(key: string): Promise<void> {
    const episode = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, episode);
    const alert = firing(key, episode);
    this.#open.set(key, alert);
    this.incidents.push(alert);
    await this.delivering.trigger(alert, { to: [{ groupWait: this.#chance() < 0.5 ? 0 : 30_000 }] });
  }

  async #end(key: string, open: Alert): Promise<void> {
    this.#open.delete(key);
    await this.delivering.resolve(open);
  }

  async #change(key: string, open: Alert): Promise<void> {
    const dice = this.#chance();
    if (dice < 0.1) return await this.delivering.suppress(open);
    if (dice < 0.3) return await this.delivering.trigger(open, { again: dice < 0.2 });
    if (dice < 0.6) return await this.delivering.acknowledge(open, dice < 0.5 ? 'acknowledged' : 'unacknowledged');
    this.#revision += 1;
    const changed = { ...open, revision: this.#revision };
    this.#open.set(key, changed);
    await this.delivering.update(changed);
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#chance() * values.length)] ?? expect.fail('no values');
  }
}

describe('the last entry of an incident', () => {
  const seeds = Array.from({ length: numberOfRuns({ short: 3, campaign: 150 }) }, (_, at) => at + 1);

  it.each(seeds)('agrees with the outbox after each event, seed %d', async (seed) => {
    const events = new RandomEvents(seed);
    const { delivering } = events;
    await delivering.start();
    for (let step = 0; step < 50; step += 1) {
      await events.step();
      const log = [...(await logOf(delivering)), ...delivering.deliverer.unattempted(delivering.clock.now())];
      for (const incident of events.incidents) {
        const state = stateOf(delivering, incident.episode, incident.key);
        if (state === undefined) continue;
        const own = log.filter(({ key, episode }) => key === incident.key && episode === incident.episode);
        expect([incident.key, incident.episode, agreement(state, own)]).toEqual([
          incident.key,
          incident.episode,
          'agrees',
        ]);
      }
    }
  });
});

/** Compares the state of an incident in the outbox with the entries of the log about it. */
function agreement(state: IncidentDelivery, own: readonly NotificationRecord[]): string {
  // The store has whole milliseconds.
  const [queued, taken] = [state.queuedAt, state.acceptedAt].map((time) => Math.round(time ?? 0));
  const ofAction = own.filter(
    ({ action, queuedAt = 0 }) =>
      action === state.action && (state.queuedAt === undefined || Math.round(queuedAt) === queued),
  );
  const last = ofAction.toSorted((one, other) => one.at - other.at || one.attempts - other.attempts).at(-1);
  const result = last?.result ?? 'none';
  const said = `${state.state} ${state.action} ${state.attempts}, and the log says ${result} ${last?.attempts ?? 0}`;
  if (state.state === 'accepted') return isLastAccepted(ofAction, taken) ? 'agrees' : said;
  if (state.state !== 'pending') return result === state.state ? 'agrees' : said;
  // A change of the incident makes a notification pending again that was parked.
  if (state.attempts === 0) return ofAction.some((one) => one.result === 'pending') ? 'agrees' : said;
  const isFailed = result === 'deferred' || result === 'rejected' || result === 'parked';
  return isFailed && last?.attempts === state.attempts ? 'agrees' : said;
}

const withoutEffect: readonly string[] = ['rejected', 'deferred', 'superseded', 'withdrawn'];

/** Whether the last notification that is neither dropped after a rejection nor needless was accepted at this time. */
function isLastAccepted(entries: readonly NotificationRecord[], at: number | undefined): boolean {
  const kept = entries.filter(({ result }) => !withoutEffect.includes(result));
  const last = kept.toSorted((one, other) => one.at - other.at).at(-1);
  return last?.result === 'accepted' && last.at === at;
}
