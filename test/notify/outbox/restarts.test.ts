import { describe, expect, it } from 'vitest';
import { storedNames } from '../../../src/notify/outbox/outbox-store.ts';
import { accepted, DeliveryTestbed, firing, limited, unreachable } from '../delivery-testbed.ts';

describe('restart', () => {
  it('repeats no notification in a hundred restarts, and the end is sent after them', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    for (const key of ['a', 'b', 'c']) await delivering.trigger(firing(key));
    delivering.receiver().take();
    for (let time = 0; time < 100; time += 1) await delivering.restart();
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().take()).toEqual([]);
    await delivering.resolve(firing('b'));
    expect(delivering.receiver().story).toEqual(['resolve b 1']);
  });

  it('sends pending notifications', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push({ ...limited, wait: 60_000 });
    await delivering.trigger(firing('a'));
    await delivering.restart();
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger a 1']);
  });

  it('repeats a request that was in flight, then sends the end', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().defaultResponse = 'hang';
    await delivering.trigger(firing('a'));
    expect(await delivering.rows('lanes')).toMatchObject([
      { [storedNames.content]: expect.stringContaining('"heard":"maybe"') },
    ]);
    delivering.receiver().defaultResponse = { ...limited, wait: 60_000 };
    await delivering.restart();
    await delivering.resolve(firing('a'));
    delivering.receiver().take();
    delivering.receiver().defaultResponse = accepted;
    await delivering.clock.advance(60_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'resolve a 1']);
  });

  it('keeps missed incidents and the start of the outage', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().defaultResponse = { ...limited, wait: 900_000 };
    const since = delivering.clock.now().wall;
    await delivering.trigger(firing('a'));
    for (const episode of [1, 2, 3]) {
      await delivering.trigger(firing('b', episode));
      await delivering.resolve(firing('b', episode));
    }
    await delivering.clock.advance(899_999);
    await delivering.restart();
    await delivering.clock.advance(10);
    delivering.receiver().take();
    delivering.receiver().defaultResponse = accepted;
    await delivering.clock.advance(1_800_000);
    const [digest] = delivering.receiver().sent;
    expect(digest?.request).toMatchObject({ kind: 'digest', count: 3, open: 1, since });
    expect(delivering.receiver().story).toEqual(['digest 3', 'trigger a 1']);
  });

  it('drops the rows of removed receivers', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    const row = { receiver: 'old', key: 'a', [storedNames.content]: '{"episodes":[]}' };
    await delivering.store.commit([{ table: 'lanes', put: row }]);
    await delivering.restart();
    expect(await delivering.rows('lanes')).toEqual([]);
  });
});

describe('shutdown', () => {
  it('sends due notifications within the rate limit, then closes the notifiers', async () => {
    const delivering = await new DeliveryTestbed({ one: { maxBatch: 1, minInterval: 1000 } }).start();
    const { wall } = delivering.clock.now();
    const to = [{ receiver: 'one', group: {}, groupWait: 0 }];
    const notices = ['a', 'b', 'c'].map(
      (key) => ({ kind: 'trigger', alert: firing(key), isReminder: false, to, due: wall }) as const,
    );
    await delivering.notify(...notices);
    const stopped = delivering.deliverer.stop(new AbortController().signal);
    await delivering.clock.advance(2000);
    await stopped;
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger b 1', 'trigger c 1']);
    expect(delivering.receiver().closed).toBe(1);
  });

  it('does not wait for a notification that is not due or for a receiver that is unavailable', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().defaultResponse = unreachable;
    await delivering.trigger(firing('a'), { to: [{}, { receiver: 'two', groupWait: 30_000 }] });
    await delivering.deliverer.stop(new AbortController().signal);
    expect(delivering.receiver('two').story).toEqual([]);
    expect(await delivering.rows('lanes')).toHaveLength(3);
  });

  it('does not wait for a response after its deadline', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().defaultResponse = 'hang';
    await delivering.trigger(firing('a'));
    const deadline = new AbortController();
    const stopped = delivering.deliverer.stop(deadline.signal);
    await delivering.clock.advance(5000);
    deadline.abort();
    await stopped;
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });
});
