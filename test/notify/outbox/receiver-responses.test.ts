import { describe, expect, it } from 'vitest';
import type { ReceiverResponse } from '../../../src/notify/notifier.ts';
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

const day = 24 * hour;

async function withTwo(answer: ReceiverResponse): Promise<DeliveryTestbed> {
  const delivering = await new DeliveryTestbed({ one: { maxBatch: 1 } }).start();
  delivering.receiver().queuedResponses.push(answer);
  await delivering.trigger(firing('a'));
  await delivering.trigger(firing('b'));
  return delivering;
}

describe('receiver that limits the rate', () => {
  it('gets no request for the time of Retry-After', async () => {
    const delivering = await withTwo({ ...limited, wait: 90_000 });
    await delivering.clock.advance(89_999);
    expect(delivering.receiver().take()).toEqual(['trigger a 1']);
    await delivering.clock.advance(1);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger b 1']);
  });

  it('gets no request for 30 s without Retry-After, and an incident that ends in this time is in the digest', async () => {
    const delivering = await withTwo(limited);
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(31_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger b 1', 'digest 1']);
  });
});

describe('receiver that fails', () => {
  it('gets the same request again with exponential backoff', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.chance = 1;
    delivering.receiver().defaultResponse = serverError;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(16_000);
    expect(delivering.receiver().sent.map(({ at }) => at)).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(delivering.log.lines.filter(({ level }) => level !== 'info').map(({ message }) => message)).toEqual([
      'delivery failing',
    ]);
  });

  it('gets other notifications although it fails on one', async () => {
    const delivering = await withTwo(serverError);
    delivering.receiver().queuedResponses.push(accepted, serverError, serverError);
    await delivering.clock.advance(300_000);
    expect(delivering.receiver().story.slice(0, 2)).toEqual(['trigger a 1', 'trigger b 1']);
    expect(delivering.receiver().story.slice(2)).toEqual(['trigger a 1', 'trigger a 1', 'trigger a 1']);
    expect(delivering.view()).toMatchObject({ depth: 0 });
  });

  it.each([
    ['a day of error responses', serverError, day],
    ['a week without a response', unreachable, 7 * day],
  ])('has its notification parked and logged after %s', async (_, answer, length) => {
    const delivering = await new DeliveryTestbed({ one: { acceptsDigests: false } }).start();
    delivering.receiver().defaultResponse = answer;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(length - hour);
    expect(delivering.view()).toMatchObject({ parked: 0, depth: 1, failing: true, result: 'unavailable' });
    await delivering.clock.advance(2 * hour);
    expect(delivering.view()).toMatchObject({ parked: 1, depth: 0, failing: true });
    expect(delivering.log.lines.at(-1)).toMatchObject({ level: 'error', message: 'notification parked' });
    const history = await delivering.rows('notifications');
    expect(history).toMatchObject([
      { key: 'a', action: 'trigger', result: 'deferred', reason: answer.message },
      { key: 'a', action: 'trigger', result: 'parked', reason: answer.message, next_attempt_at: null },
    ]);
  });

  it('gets parked notifications after it accepts another one', async () => {
    const delivering = await new DeliveryTestbed({ one: { acceptsDigests: false } }).start();
    delivering.receiver().defaultResponse = serverError;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(day + hour);
    delivering.receiver().take();
    delivering.receiver().defaultResponse = accepted;
    await delivering.trigger(firing('b'));
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().story).toEqual(['trigger b 1', 'trigger a 1']);
    expect(delivering.view()).toMatchObject({ parked: 0, failing: false });
  });

  it('gets the end of a parked incident after its trigger', async () => {
    const delivering = await new DeliveryTestbed({ one: { acceptsDigests: false } }).start();
    delivering.receiver().defaultResponse = serverError;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(day + hour);
    delivering.receiver().take();
    delivering.receiver().defaultResponse = accepted;
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'resolve a 1']);
  });

  it('recovers after a while without pending notifications', async () => {
    const delivering = await new DeliveryTestbed({ one: { acceptsDigests: false } }).start();
    delivering.receiver().queuedResponses.push(limited);
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(hour);
    expect(delivering.view()).toMatchObject({ failing: false, depth: 0, result: 'limited' });
    expect(await delivering.rows('lanes')).toEqual([]);
  });
});

describe('broken receiver', () => {
  it('keeps its queue, is retried every five minutes and counts as failing at once', async () => {
    const delivering = await new DeliveryTestbed({ one: { maxBatch: 1 } }).start();
    delivering.receiver().queuedResponses.push(broken, broken);
    for (const key of ['a', 'b', 'c']) await delivering.trigger(firing(key, 1, 'warning'));
    expect(delivering.view()).toMatchObject({ failing: true, result: 'broken', depth: 3 });
    await delivering.clock.advance(299_999);
    expect(delivering.receiver().take()).toEqual(['trigger a 1', 'trigger b 1']);
    await delivering.clock.advance(1);
    expect(delivering.receiver().story).toEqual(['trigger c 1', 'trigger a 1', 'trigger b 1']);
    expect(delivering.view()).toMatchObject({ failing: false, depth: 0 });
  });

  it('hands its triggers to the fallback receiver at once, and both get the end', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().queuedResponses.push(broken, broken);
    const to = [{ fallback: 'two' }];
    await delivering.trigger(firing('a'), { to });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
    await delivering.trigger(firing('b'), { to });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1', 'trigger b 1']);
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger b 1', 'trigger a 1, trigger b 1']);
    await delivering.resolve(firing('a'));
    expect(delivering.receiver('two').story.at(-1)).toBe('resolve a 1');
    expect(delivering.receiver().story.at(-1)).toBe('resolve a 1');
  });

  it('stays broken after a restart until the next attempt', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().defaultResponse = broken;
    await delivering.trigger(firing('a'));
    await delivering.trigger(firing('b'));
    const { failingSince } = delivering.view();
    await delivering.clock.advance(60_000);
    delivering.receiver().defaultResponse = broken;
    await delivering.restart();
    expect(delivering.view()).toMatchObject({ failing: true, failingSince });
    delivering.receiver().defaultResponse = { kind: 'accepted' };
    await delivering.clock.advance(300_000);
    expect(delivering.view()).toMatchObject({ failing: false, depth: 0 });
  });

  it('makes the fallback receiver skip the group wait of another route', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().defaultResponse = broken;
    const to = [{ fallback: 'two' }, { receiver: 'two', groupWait: 30_000 }];
    await delivering.trigger(firing('a'), { to });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
    await delivering.trigger(firing('b'), { to: to.toReversed() });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1', 'trigger b 1']);
    await delivering.clock.advance(60_000);
    expect(delivering.receiver('two').story).toHaveLength(2);
  });

  it('hands its triggers to the fallback receiver also after five minutes without an accepted request', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().defaultResponse = unreachable;
    await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
    await delivering.clock.advance(200_000);
    expect(delivering.receiver('two').story).toEqual([]);
    await delivering.clock.advance(400_000);
    expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
  });

  it('is retried at once after a change of its settings', async () => {
    const delivering = await withTwo(broken);
    await delivering.deliverer.reconfigure({ ...delivering.settings, externalUrl: 'https://warden.example.org/' });
    await delivering.clock.settle();
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger b 1', 'trigger a 1']);
    expect(delivering.receiver().closed).toBe(1);
  });
});

describe('rejected request', () => {
  it('is retried with less detail, then parked and handed to the fallback receiver', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().defaultResponse = refused;
    await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
    expect(delivering.receiver().sent.map(({ detail }) => detail)).toEqual(['full', 'short', 'minimal']);
    expect(delivering.view()).toMatchObject({ parked: 1, failing: true, depth: 0 });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
  });

  it('has no end if its trigger was never accepted', async () => {
    const delivering = await new DeliveryTestbed({ one: { acceptsDigests: false } }).start();
    delivering.receiver().defaultResponse = refused;
    await delivering.trigger(firing('a'));
    delivering.receiver().take();
    await delivering.resolve(firing('a'));
    expect(delivering.receiver().story).toEqual([]);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('is split in halves until the rejected alert is found', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    const receiver = delivering.receiver();
    const send = receiver.send.bind(receiver);
    receiver.send = async (notification, ...rest) => {
      receiver.defaultResponse =
        notification.kind === 'alerts' && notification.alerts.some(({ key }) => key === 'c') ? refused : accepted;
      return send(notification, ...rest);
    };
    const to = [{ groupWait: 1000 }];
    for (const key of ['a', 'b', 'c', 'd']) await delivering.trigger(firing(key), { to });
    await delivering.clock.advance(60_000);
    expect(receiver.story).toEqual([
      'trigger a 1, trigger b 1, trigger c 1, trigger d 1',
      'trigger a 1, trigger b 1',
      'trigger c 1, trigger d 1',
      'trigger c 1',
      'trigger c 1',
      'trigger c 1',
      'trigger d 1',
    ]);
    expect(delivering.view()).toMatchObject({ parked: 1, depth: 0 });
  });

  it('is repeated without the alerts that the receiver names', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push({ ...refused, rejectedIndexes: [1] });
    const to = [{ groupWait: 1000 }];
    for (const key of ['a', 'b', 'c']) await delivering.trigger(firing(key), { to });
    await delivering.clock.advance(60_000);
    const reported = delivering
      .receiver()
      .sent.map(({ detail }, at) => `${detail}: ${delivering.receiver().story[at]}`);
    expect(reported).toEqual([
      'full: trigger a 1, trigger b 1, trigger c 1',
      'full: trigger a 1, trigger c 1',
      'short: trigger b 1',
    ]);
  });
});
