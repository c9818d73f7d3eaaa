import { describe, expect, it } from 'vitest';
import { accepted, Delivering, firing, refused, unreachable } from '../delivering.ts';

const traits = { forgets: true, batch: 256, takesDigests: false };
const minute = 60_000;

describe('a receiver that forgets what it is not told again', () => {
  it('is told every minute while an incident is open, and for a quarter of an hour after its end', async () => {
    const delivering = await new Delivering({ one: traits }).begin();
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(5 * minute);
    expect(delivering.get().take()).toEqual(Array.from({ length: 6 }, () => 'trigger a 1'));
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(30 * minute);
    const ends = delivering.get().take();
    expect(new Set(ends)).toEqual(new Set(['resolve a 1']));
    expect(ends.length).toBeGreaterThanOrEqual(14);
    expect(ends.length).toBeLessThanOrEqual(16);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('is told all in one letter, whatever their groups', async () => {
    const delivering = await new Delivering({ one: traits }).begin();
    for (const key of ['a', 'b', 'c']) {
      await delivering.trigger(firing(key), { to: [{ group: { key } }] });
      await delivering.clock.advance(5000);
    }
    delivering.get().take();
    await delivering.clock.advance(minute);
    expect(delivering.get().story).toEqual(['trigger a 1, trigger b 1, trigger c 1']);
  });

  it('is told the open ones and the ends at once after a restart', async () => {
    const delivering = await new Delivering({ one: traits }).begin();
    await delivering.trigger(firing('a'));
    await delivering.trigger(firing('b'));
    await delivering.resolve(firing('b'));
    delivering.get().take();
    await delivering.restart();
    expect(delivering.get().story).toEqual(['trigger a 1, resolve b 1']);
  });

  it('is told no end any more once the next episode has begun', async () => {
    const delivering = await new Delivering({ one: traits }).begin();
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    await delivering.trigger(firing('a', 2));
    delivering.get().take();
    await delivering.clock.advance(10 * minute);
    expect(new Set(delivering.get().story)).toEqual(new Set(['trigger a 2']));
  });

  it('is told again as soon as it is back, and that is no depth of the queue', async () => {
    const delivering = await new Delivering({ one: traits }).begin();
    await delivering.trigger(firing('a'));
    delivering.get().otherwise = unreachable;
    await delivering.clock.advance(10 * minute);
    expect(delivering.view()).toMatchObject({ depth: 0, failing: true, parked: 0 });
    delivering.get().otherwise = accepted;
    delivering.get().take();
    await delivering.clock.advance(5 * minute);
    expect(delivering.get().story[0]).toBe('trigger a 1');
    expect(delivering.view()).toMatchObject({ failing: false });
  });

  it('does not fill the history with what is only said again, and goes on where that is refused', async () => {
    const delivering = await new Delivering({ one: traits }).begin();
    await delivering.trigger(firing('a'));
    delivering.get().queued.push(refused, refused, refused);
    await delivering.clock.advance(3 * minute);
    expect(delivering.get().got.map(({ detail }) => detail)).toEqual([
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
});
