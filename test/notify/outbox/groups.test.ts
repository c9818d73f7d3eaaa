import { describe, expect, it } from 'vitest';
import { Delivering, firing } from '../delivering.ts';

const to = [{ group: { cluster_name: 'prod' }, groupWait: 30_000 }];

describe('a group', () => {
  it('is told together after its wait, and what began later goes along', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'), { to });
    await delivering.clock.advance(29_000);
    await delivering.trigger(firing('b'), { to });
    expect(delivering.get().story).toEqual([]);
    await delivering.clock.advance(1000);
    expect(delivering.get().story).toEqual(['trigger a 1, trigger b 1']);
    expect(delivering.get().got[0]?.letter).toMatchObject({ group: { cluster_name: 'prod' }, again: false });
  });

  it('does not wait for another, and is not mixed with it', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'), { to });
    await delivering.trigger(firing('b'), { to: [{ group: { cluster_name: 'test' } }] });
    expect(delivering.get().story).toEqual(['trigger b 1']);
    await delivering.clock.advance(30_000);
    expect(delivering.get().story).toEqual(['trigger b 1', 'trigger a 1']);
  });

  it('is told in letters as large as the receiver takes, the urgent first', async () => {
    const delivering = await new Delivering({ one: { batch: 2 } }).begin();
    await delivering.trigger(firing('a', 1, 'info'), { to });
    await delivering.trigger(firing('b', 1, 'warning'), { to });
    await delivering.trigger(firing('c', 1, 'critical'), { to });
    await delivering.clock.advance(60_000);
    expect(delivering.get().story).toEqual(['trigger c 1, trigger b 1', 'trigger a 1']);
  });

  it('is told of ends together as well', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    for (const key of ['a', 'b']) await delivering.trigger(firing(key), { to });
    await delivering.clock.advance(30_000);
    for (const key of ['a', 'b']) await delivering.resolve(firing(key));
    await delivering.clock.advance(30_000);
    expect(delivering.get().story).toEqual(['trigger a 1, trigger b 1', 'resolve a 1, resolve b 1']);
  });

  it('hears in a digest of what came and went within its wait', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'), { to });
    await delivering.clock.advance(10_000);
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(29_999);
    expect(delivering.get().story).toEqual([]);
    await delivering.clock.advance(1);
    expect(delivering.get().story).toEqual(['digest 1']);
    expect(await delivering.rows('lanes')).toEqual([]);
  });
});

describe('reminders', () => {
  it('are told apart from what begins', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'), { to: [{}] });
    await delivering.trigger(firing('b'), { to: [{ groupWait: 1000 }] });
    await delivering.trigger(firing('a'), { to: [{}], again: true });
    await delivering.clock.advance(1000);
    expect(delivering.get().story).toEqual(['trigger a 1', 'again a 1', 'trigger b 1']);
  });

  it('are the beginning for a receiver that has heard nothing', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'), { again: true });
    await delivering.trigger(firing('a'), { again: true });
    expect(delivering.get().story).toEqual(['trigger a 1', 'again a 1']);
  });
});
