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

  it('sends its resolves together', async () => {
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
