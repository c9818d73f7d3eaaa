import { describe, expect, it } from 'vitest';
import { DeliveryTestbed, firing } from '../delivery-testbed.ts';

const grouped = (changes: object = {}) => ({
  to: [{ group: { cluster_name: 'prod' }, groupWait: 30_000, groupInterval: 300_000, ...changes }],
});

describe('group interval', () => {
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

  it('does not delay alerts on a route without a group wait', async () => {
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
