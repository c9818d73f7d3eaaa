import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/model/alert.ts';
import type { IncidentDelivery, NotificationRecord } from '../../../src/model/delivery.ts';
import type { NotifierTraits, ReceiverResponse } from '../../../src/notify/notifier.ts';
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

async function story(delivering: DeliveryTestbed): Promise<readonly string[]> {
  const entries = await logOf(delivering);
  return entries.map(({ key, episode, action, result, attempts }) => `${action} ${key} ${episode} ${result} ${attempts}`);
}

function stateOf(delivering: DeliveryTestbed, episode = 1, key = 'a'): IncidentDelivery | undefined {
  return delivering.deliverer.deliveries({ key, episode }, delivering.clock.now())[0];
}

async function start(traits: Partial<NotifierTraits> = {}): Promise<DeliveryTestbed> {
  return await new DeliveryTestbed({ one: traits }).start();
}

describe('delivery log', () => {
  it('has labels, times, status and proof of an accepted notification', async () => {
    const delivering = await start();
    delivering.receiver().defaultResponse = { ...accepted, status: 202, proof: 'queued as 7' };
    const { wall } = delivering.clock.now();
    await delivering.trigger(firing('a'));
    expect(await logOf(delivering)).toEqual([
      {
        at: wall,
        receiver: 'one',
        key: 'a',
        episode: 1,
        severity: 'critical',
        labels: { alertname: 'a' },
        summary: 'a is wrong',
        action: 'trigger',
        result: 'accepted',
        queuedAt: wall,
        attempts: 1,
        reason: '',
        status: 202,
        proof: 'queued as 7',
      },
    ]);
  });

  it('has one entry for all failed attempts with the same result, and keeps the reason after the acceptance', async () => {
    const delivering = await start();
    delivering.receiver().queuedResponses.push({ ...serverError, status: 503 }, serverError, limited, broken);
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(hour);
    expect(await story(delivering)).toEqual([
      'trigger a 1 deferred 3',
      'trigger a 1 rejected 4',
      'trigger a 1 accepted 5',
    ]);
    expect((await logOf(delivering)).at(-1)).toMatchObject({ reason: '401' });
  });

  it('states the earliest next attempt', async () => {
    const delivering = await start();
    delivering.receiver().defaultResponse = { ...limited, wait: 40_000 };
    const { wall } = delivering.clock.now();
    await delivering.trigger(firing('a'));
    expect(await logOf(delivering)).toMatchObject([{ result: 'deferred', reason: '429', nextAttemptAt: wall + 40_000 }]);
    expect(stateOf(delivering)).toMatchObject({ state: 'pending', attempts: 1, nextAttemptAt: wall + 40_000 });
  });

  it('names the rejection of a notification that is parked', async () => {
    const delivering = await start();
    delivering.receiver().defaultResponse = { ...refused, status: 400 };
    await delivering.trigger(firing('a'));
    expect(await story(delivering)).toEqual(['trigger a 1 rejected 2', 'trigger a 1 parked 3']);
    expect(stateOf(delivering)).toMatchObject({ state: 'parked', reason: '400', status: 400 });
  });

  it('names an incident that ended before it was sent, and the digest that reports it', async () => {
    const delivering = await start();
    await delivering.trigger(firing('a'), { to: [{ groupWait: 30_000 }] });
    expect(stateOf(delivering)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(delivering.deliverer.unattempted(delivering.clock.now())).toMatchObject([
      { receiver: 'one', key: 'a', result: 'pending', attempts: 0 },
    ]);
    await delivering.resolve(firing('a'));
    expect(stateOf(delivering)).toMatchObject({ state: 'withdrawn' });
    await delivering.clock.advance(60_000);
    expect(await story(delivering)).toEqual(['trigger a 1 withdrawn 0', 'digest  0 accepted 1']);
    expect((await logOf(delivering)).at(-1)?.summary).toContain('a is wrong');
  });

  it('names a digest that fails', async () => {
    const delivering = await start();
    delivering.receiver().queuedResponses.push(serverError);
    await delivering.trigger(firing('a'), { to: [{ groupWait: 30_000 }] });
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(hour);
    expect(await story(delivering)).toEqual([
      'trigger a 1 withdrawn 0',
      'digest  0 deferred 1',
      'digest  0 accepted 2',
    ]);
  });

  it('names a reminder that the end of the incident replaces', async () => {
    const delivering = await start();
    await delivering.trigger(firing('a'));
    delivering.receiver().defaultResponse = unreachable;
    await delivering.trigger(firing('a'), { again: true });
    await delivering.resolve(firing('a'));
    delivering.receiver().defaultResponse = accepted;
    await delivering.clock.advance(hour);
    const entries = (await logOf(delivering)).map(({ action, result, reason }) => [action, result, reason]);
    expect(entries).toEqual(
      expect.arrayContaining([
        ['remind', 'deferred', 'refused'],
        ['remind', 'superseded', 'the incident ended; last failure: refused'],
        ['resolve', 'accepted', ''],
      ]),
    );
  });

  it('gives the reason of the receiver for a notification behind others', async () => {
    const delivering = await start({ maxBatch: 1 });
    delivering.receiver().defaultResponse = { ...limited, wait: 60_000, status: 429 };
    await delivering.trigger(firing('a'));
    await delivering.trigger(firing('b'));
    expect(stateOf(delivering, 1, 'b')).toMatchObject({ state: 'pending', attempts: 0, reason: '429', status: 429 });
  });

  it('has no entries of heartbeats, unless they fail', async () => {
    const delivering = await start();
    const heartbeat: Alert = { ...firing('w'), rule: 'watchdog' };
    await delivering.trigger(heartbeat);
    await delivering.trigger(heartbeat, { again: true });
    expect(await story(delivering)).toEqual([]);
    delivering.receiver().queuedResponses.push(serverError);
    await delivering.trigger(heartbeat, { again: true });
    await delivering.clock.advance(hour);
    expect(await story(delivering)).toEqual(['remind w 1 deferred 1', 'remind w 1 accepted 2']);
  });

  it('has no entries of refreshes', async () => {
    const delivering = await start({ isLevelTriggered: true });
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(hour);
    expect(delivering.receiver().sent.length).toBeGreaterThan(50);
    expect(await story(delivering)).toEqual(['trigger a 1 accepted 1']);
  });

  it('keeps the state of an open incident through a restart', async () => {
    const delivering = await start();
    const { wall } = delivering.clock.now();
    await delivering.trigger(firing('a'));
    delivering.receiver().defaultResponse = { ...limited, wait: 600_000 };
    await delivering.resolve(firing('a'));
    const before = stateOf(delivering);
    expect(before).toMatchObject({ state: 'pending', action: 'resolve', acceptedAt: wall, attempts: 1 });
    delivering.receiver().defaultResponse = 'hang';
    await delivering.restart();
    expect(stateOf(delivering)).toMatchObject({ state: 'pending', action: 'resolve', acceptedAt: wall, reason: '429' });
  });
});

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
    if (dice < 0.3) return await this.delivering.trigger(open, { again: true });
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
  const seeds = Array.from({ length: numberOfRuns({ short: 10, campaign: 300 }) }, (_, at) => at + 1);

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
        expect([incident.key, incident.episode, agreement(state, own)]).toEqual([incident.key, incident.episode, 'agrees']);
      }
    }
  });
});

/** Compares the state of an incident in the outbox with the entries of the log about it. */
function agreement(state: IncidentDelivery, own: readonly NotificationRecord[]): string {
  // The store has whole milliseconds.
  const [queued, taken] = [state.queuedAt, state.acceptedAt].map((time) => Math.round(time ?? 0));
  const ofAction = own.filter(
    ({ action, queuedAt = 0 }) => action === state.action && (state.queuedAt === undefined || Math.round(queuedAt) === queued),
  );
  const last = ofAction.toSorted((one, other) => one.at - other.at || one.attempts - other.attempts).at(-1);
  const result = last?.result ?? 'none';
  const said = `${state.state} ${state.action} ${state.attempts}, and the log says ${result} ${last?.attempts ?? 0}`;
  if (state.state === 'accepted') return isLastAccepted(ofAction, taken) ? 'agrees' : said;
  if (state.state !== 'pending') return result === state.state ? 'agrees' : said;
  if (state.attempts === 0) return result === 'pending' ? 'agrees' : said;
  const isFailed = result === 'deferred' || result === 'rejected' || result === 'parked';
  return isFailed && last?.attempts === state.attempts ? 'agrees' : said;
}

/** Whether the last notification that is not dropped after a rejection was accepted at this time. */
function isLastAccepted(entries: readonly NotificationRecord[], at: number | undefined): boolean {
  const kept = entries.filter((entry) => entry.result !== 'rejected' && entry.result !== 'deferred');
  const last = kept.toSorted((one, other) => one.at - other.at).at(-1);
  return last?.result === 'accepted' && last.at === at;
}
