import { describe, expect, it } from 'vitest';
import { DeliveryTestbed, firing } from '../delivery-testbed.ts';

const to = [{ group: { cluster_name: 'prod' }, groupWait: 30_000 }];

describe('group', () => {
  it('is sent together after its wait, with alerts that began during the wait', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'), { to });
    await delivering.clock.advance(29_000);
    await delivering.trigger(firing('b'), { to });
    expect(delivering.receiver().story).toEqual([]);
    await delivering.clock.advance(1000);
    expect(delivering.receiver().story).toEqual(['trigger a 1, trigger b 1']);
    expect(delivering.receiver().sent[0]?.request).toMatchObject({
      group: { cluster_name: 'prod' },
      isReminder: false,
    });
  });

  it('does not wait for another group, and is not mixed with it', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'), { to });
    await delivering.trigger(firing('b'), { to: [{ group: { cluster_name: 'test' } }] });
    expect(delivering.receiver().story).toEqual(['trigger b 1']);
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story).toEqual(['trigger b 1', 'trigger a 1']);
  });

  it('is split by the batch limit, the highest severity first', async () => {
    const delivering = await new DeliveryTestbed({ one: { maxBatch: 2 } }).start();
    await delivering.trigger(firing('a', 1, 'info'), { to });
    await delivering.trigger(firing('b', 1, 'warning'), { to });
    await delivering.trigger(firing('c', 1, 'critical'), { to });
    await delivering.clock.advance(60_000);
    expect(delivering.receiver().story).toEqual(['trigger c 1, trigger b 1', 'trigger a 1']);
  });

  it('has its ends sent together as well', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    for (const key of ['a', 'b']) await delivering.trigger(firing(key), { to });
    await delivering.clock.advance(30_000);
    for (const key of ['a', 'b']) await delivering.resolve(firing(key));
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1, trigger b 1', 'resolve a 1, resolve b 1']);
  });

  it('reports an incident that ends within the group wait in a digest', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'), { to });
    await delivering.clock.advance(10_000);
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(29_999);
    expect(delivering.receiver().story).toEqual([]);
    await delivering.clock.advance(1);
    expect(delivering.receiver().story).toEqual(['digest 1']);
    expect(await delivering.rows('lanes')).toEqual([]);
  });
});

describe('group interval', () => {
  const grouped = (changes: object = {}) => ({
    to: [{ group: { cluster_name: 'prod' }, groupWait: 30_000, groupInterval: 300_000, ...changes }],
  });

  async function notifiedGroup() {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a', 1, 'warning'), grouped());
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
    return delivering;
  }

  it('delays alerts that join a notified group until the interval since its last notification', async () => {
    const delivering = await notifiedGroup();
    await delivering.clock.advance(60_000);
    await delivering.trigger(firing('b', 1, 'warning'), grouped());
    await delivering.clock.advance(239_999);
    expect(delivering.receiver().story.slice(1)).toEqual([]);
    await delivering.clock.advance(1);
    expect(delivering.receiver().story.slice(1)).toEqual(['trigger b 1']);
  });

  it('is over for a group that was notified earlier: a new alert waits for the group wait', async () => {
    const delivering = await notifiedGroup();
    await delivering.clock.advance(600_000);
    await delivering.trigger(firing('b', 1, 'warning'), grouped());
    await delivering.clock.advance(29_999);
    expect(delivering.receiver().story.slice(1)).toEqual([]);
    await delivering.clock.advance(1);
    expect(delivering.receiver().story.slice(1)).toEqual(['trigger b 1']);
  });

  it('is the longest wait, also if the group wait is longer', async () => {
    const delivering = await notifiedGroup();
    await delivering.trigger(firing('b', 1, 'warning'), grouped({ groupWait: 3_600_000 }));
    await delivering.clock.advance(300_000);
    expect(delivering.receiver().story.slice(1)).toEqual(['trigger b 1']);
  });

  it('delays no critical alert beyond the group wait, and sends the waiting alerts with it', async () => {
    const delivering = await notifiedGroup();
    await delivering.trigger(firing('b', 1, 'warning'), grouped());
    await delivering.trigger(firing('c', 1, 'critical'), grouped());
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story.slice(1)).toEqual(['trigger c 1, trigger b 1']);
  });

  it('delays nothing on a route without a group wait', async () => {
    const delivering = await notifiedGroup();
    await delivering.trigger(firing('b', 1, 'warning'), grouped({ groupWait: 0 }));
    expect(delivering.receiver().story.slice(1)).toEqual(['trigger b 1']);
  });

  it('delays no alert of another group', async () => {
    const delivering = await notifiedGroup();
    await delivering.trigger(firing('b', 1, 'warning'), grouped({ group: { cluster_name: 'test' } }));
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story.slice(1)).toEqual(['trigger b 1']);
  });

  it('delays no resolve', async () => {
    const delivering = await notifiedGroup();
    await delivering.resolve(firing('a', 1, 'warning'));
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story.slice(1)).toEqual(['resolve a 1']);
  });

  it('starts again with a group all of whose incidents have ended', async () => {
    const delivering = await notifiedGroup();
    await delivering.resolve(firing('a', 1, 'warning'));
    await delivering.clock.advance(120_000);
    expect(delivering.receiver().story.slice(1)).toEqual(['resolve a 1']);
    await delivering.trigger(firing('b', 1, 'warning'), grouped());
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story.slice(2)).toEqual(['trigger b 1']);
  });
});

describe('reminders', () => {
  it('are not sent together with triggers', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'), { to: [{}] });
    await delivering.trigger(firing('b'), { to: [{ groupWait: 1000 }] });
    await delivering.trigger(firing('a'), { to: [{}], again: true });
    await delivering.clock.advance(1000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'again a 1', 'trigger b 1']);
  });

  it('are triggers for a receiver that does not know of the incident', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'), { again: true });
    await delivering.trigger(firing('a'), { again: true });
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'again a 1']);
  });
});
