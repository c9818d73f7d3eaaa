import { describe, expect, it } from 'vitest';
import { accepted, DeliveryTestbed, firing, refused, unreachable } from '../delivery-testbed.ts';

const traits = { isLevelTriggered: true, maxBatch: 256, acceptsDigests: false };
const minute = 60_000;

describe('level-triggered receiver', () => {
  it('gets a refresh every minute while an incident is open, and for 15 minutes after its end', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(5 * minute);
    expect(delivering.receiver().take()).toEqual(Array.from({ length: 6 }, () => 'trigger a 1'));
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(30 * minute);
    const ends = delivering.receiver().take();
    expect(new Set(ends)).toEqual(new Set(['resolve a 1']));
    expect(ends.length).toBeGreaterThanOrEqual(14);
    expect(ends.length).toBeLessThanOrEqual(16);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('gets the refreshes of all groups in one request', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    for (const key of ['a', 'b', 'c']) {
      await delivering.trigger(firing(key), { to: [{ group: { key } }] });
      await delivering.clock.advance(5000);
    }
    delivering.receiver().take();
    await delivering.clock.advance(minute);
    expect(delivering.receiver().story).toEqual(['trigger a 1, trigger b 1, trigger c 1']);
  });

  it('gets open and resolved incidents at once after a restart', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    await delivering.trigger(firing('a'));
    await delivering.trigger(firing('b'));
    await delivering.resolve(firing('b'));
    delivering.receiver().take();
    await delivering.restart();
    expect(delivering.receiver().story).toEqual(['trigger a 1, resolve b 1']);
  });

  it('gets a resolve although the next incident ended before it was sent', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().defaultResponse = unreachable;
    await delivering.resolve(firing('a'));
    await delivering.trigger(firing('a', 2));
    await delivering.restart();
    const plan = delivering.deliverer.reconcile(new Map([['a', firing('a', 2)]]), delivering.clock.now());
    await delivering.store.commit(plan.changes);
    plan.release();
    await delivering.resolve(firing('a', 2));
    delivering.receiver().take();
    delivering.receiver().defaultResponse = accepted;
    await delivering.clock.advance(minute);
    expect(delivering.receiver().story.at(-1)).toBe('resolve a 2');
  });

  it('gets no resolve after the next incident begins', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    await delivering.trigger(firing('a', 2));
    delivering.receiver().take();
    await delivering.clock.advance(10 * minute);
    expect(new Set(delivering.receiver().story)).toEqual(new Set(['trigger a 2']));
  });

  it('gets a refresh when it recovers, which does not count as pending', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().defaultResponse = unreachable;
    await delivering.clock.advance(10 * minute);
    expect(delivering.view()).toMatchObject({ depth: 0, failing: true, parked: 0 });
    delivering.receiver().defaultResponse = accepted;
    delivering.receiver().take();
    await delivering.clock.advance(5 * minute);
    expect(delivering.receiver().story[0]).toBe('trigger a 1');
    expect(delivering.view()).toMatchObject({ failing: false });
  });

  it('has no refresh in the history, and gets refreshes after a rejected one', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().queuedResponses.push(refused, refused, refused);
    await delivering.clock.advance(3 * minute);
    expect(delivering.receiver().sent.map(({ detail }) => detail)).toEqual([
      'full',
      'full',
      'short',
      'minimal',
      'full',
      'full',
    ]);
    expect(await delivering.rows('notifications')).toHaveLength(1);
    expect(delivering.view()).toMatchObject({ parked: 0 });
  });

  it('retries a notification that one peer rejects until the other peer accepts it', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    const receiver = delivering.receiver();
    receiver.defaultResponse = { ...refused, otherPeer: unreachable };
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(10 * minute);
    expect(receiver.sent.slice(0, 4).map(({ detail }) => detail)).toEqual(['full', 'short', 'minimal', 'minimal']);
    expect(delivering.view()).toMatchObject({ depth: 1, parked: 0, failing: true });
    expect(delivering.log.lines.filter(({ message }) => message === 'notification parked')).toEqual([]);
    receiver.defaultResponse = accepted;
    receiver.take();
    await delivering.clock.advance(0.5 * minute);
    expect(receiver.take()).toEqual(['trigger a 1']);
    expect(delivering.view()).toMatchObject({ depth: 0, parked: 0, failing: false });
  });

  it('parks a notification that all peers reject', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    delivering.receiver().queuedResponses.push({ ...refused, otherPeer: unreachable });
    delivering.receiver().defaultResponse = refused;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(minute);
    expect(delivering.view()).toMatchObject({ parked: 1 });
  });

  it('gets a resolve that one peer rejects and another misses', async () => {
    const delivering = await new DeliveryTestbed({ one: traits }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().defaultResponse = { ...refused, otherPeer: unreachable };
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(5 * minute);
    delivering.receiver().take();
    delivering.receiver().defaultResponse = accepted;
    await delivering.clock.advance(minute);
    expect(delivering.receiver().story[0]).toBe('resolve a 1');
  });
});
