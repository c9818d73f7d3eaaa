import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/model/alert.ts';
import type { IncidentDelivery, NotificationRecord } from '../../../src/model/delivery.ts';
import type { NotifierTraits } from '../../../src/notify/notifier.ts';
import { parseNotification } from '../../../src/notify/outbox/notification-rows.ts';
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
  return entries.map(
    ({ key, episode, action, result, attempts }) => `${action} ${key} ${episode} ${result} ${attempts}`,
  );
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
    expect(await logOf(delivering)).toMatchObject([
      { result: 'deferred', reason: '429', nextAttemptAt: wall + 40_000 },
    ]);
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

  it('has the reason of the receiver for a notification behind others', async () => {
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
