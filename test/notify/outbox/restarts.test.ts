import { describe, expect, it } from 'vitest';
import { accepted, Delivering, firing, limited, unreachable } from '../delivering.ts';

describe('a restart', () => {
  it('pages nobody again, a hundred times, and the end is told then', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    for (const key of ['a', 'b', 'c']) await delivering.trigger(firing(key));
    delivering.get().take();
    for (let time = 0; time < 100; time += 1) await delivering.restart();
    await delivering.clock.advance(600_000);
    expect(delivering.get().take()).toEqual([]);
    await delivering.resolve(firing('b'));
    expect(delivering.get().story).toEqual(['resolve b 1']);
  });

  it('sends what was owed', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().queued.push({ ...limited, wait: 60_000 });
    await delivering.trigger(firing('a'));
    await delivering.restart();
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger a 1']);
  });

  it('counts what was on its way as one that may have arrived: it is repeated, then ended', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().otherwise = 'hang';
    await delivering.trigger(firing('a'));
    expect(await delivering.rows('lanes')).toMatchObject([{ owed: expect.stringContaining('"heard":"maybe"') }]);
    delivering.get().otherwise = { ...limited, wait: 60_000 };
    await delivering.restart();
    await delivering.resolve(firing('a'));
    delivering.get().take();
    delivering.get().otherwise = accepted;
    await delivering.clock.advance(60_000);
    expect(delivering.get().story).toEqual(['trigger a 1', 'resolve a 1']);
  });

  it('remembers what was folded, and since when the receiver is away', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().otherwise = { ...limited, wait: 900_000 };
    const since = delivering.clock.now().wall;
    await delivering.trigger(firing('a'));
    for (const episode of [1, 2, 3]) {
      await delivering.trigger(firing('b', episode));
      await delivering.resolve(firing('b', episode));
    }
    await delivering.clock.advance(899_999);
    await delivering.restart();
    await delivering.clock.advance(10);
    delivering.get().take();
    delivering.get().otherwise = accepted;
    await delivering.clock.advance(1_800_000);
    const [digest] = delivering.get().got;
    expect(digest?.letter).toMatchObject({ kind: 'digest', count: 3, open: 1, since });
    expect(delivering.get().story).toEqual(['digest 3', 'trigger a 1']);
  });

  it('gives up rows of receivers that are configured no more', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    const row = { receiver: 'old', key: 'a', owed: '{"episodes":[]}' };
    await delivering.store.commit([{ table: 'lanes', put: row }]);
    await delivering.restart();
    expect(await delivering.rows('lanes')).toEqual([]);
  });
});

describe('the end of the process', () => {
  it('sends what is due first, at the pace of the receiver, and closes the ways', async () => {
    const delivering = await new Delivering({ one: { batch: 1, spacing: 1000 } }).begin();
    const { wall } = delivering.clock.now();
    const to = [{ receiver: 'one', group: {}, groupWait: 0 }];
    const notices = ['a', 'b', 'c'].map(
      (key) => ({ kind: 'trigger', alert: firing(key), again: false, to, due: wall }) as const,
    );
    await delivering.tell(...notices);
    const stopped = delivering.deliverer.stop(new AbortController().signal);
    await delivering.clock.advance(2000);
    await stopped;
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger b 1', 'trigger c 1']);
    expect(delivering.get().closed).toBe(1);
  });

  it('does not wait for what is not due, nor for a receiver that is out', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().otherwise = unreachable;
    await delivering.trigger(firing('a'), { to: [{}, { receiver: 'two', groupWait: 30_000 }] });
    await delivering.deliverer.stop(new AbortController().signal);
    expect(delivering.get('two').story).toEqual([]);
    expect(await delivering.rows('lanes')).toHaveLength(3);
  });

  it('does not wait longer than it may for an answer', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().otherwise = 'hang';
    await delivering.trigger(firing('a'));
    const deadline = new AbortController();
    const stopped = delivering.deliverer.stop(deadline.signal);
    await delivering.clock.advance(5000);
    deadline.abort();
    await stopped;
    expect(delivering.get().story).toEqual(['trigger a 1']);
  });
});
