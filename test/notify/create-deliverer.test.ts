import { describe, expect, it } from 'vitest';
import { Delivering, firing, hour, limited, serverError, settingsOf, unreachable } from './delivering.ts';

describe('what goes well', () => {
  it('tells a trigger at once after its release, and its end', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'));
    expect(delivering.get().story).toEqual(['trigger a 1']);
    await delivering.resolve(firing('a'));
    expect(delivering.get().story).toEqual(['trigger a 1', 'resolve a 1']);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('keeps in the history what was accepted', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    expect(await delivering.rows('notifications')).toMatchObject([
      { receiver: 'one', key: 'a', episode: 1, action: 'trigger', result: 'accepted' },
      { receiver: 'one', key: 'a', episode: 1, action: 'resolve', result: 'accepted' },
    ]);
  });

  it('sends nothing before it is released', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    const { wall } = delivering.clock.now();
    const to = [{ receiver: 'one', group: {}, groupWait: 0 }];
    const notice = { kind: 'trigger', alert: firing('a'), again: false, to, due: wall } as const;
    const plan = delivering.deliverer.plan([notice], delivering.clock.now());
    expect(plan.changes).toMatchObject([{ table: 'lanes', put: { receiver: 'one', key: 'a' } }]);
    await delivering.clock.advance(hour);
    expect(delivering.get().story).toEqual([]);
    plan.release();
    plan.release();
    await delivering.clock.settle();
    expect(delivering.get().story).toEqual(['trigger a 1']);
  });

  it('says again what goes on, only as a reminder', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'));
    await delivering.trigger(firing('a'), { again: true });
    expect(delivering.get().story).toEqual(['trigger a 1', 'again a 1']);
  });
});

describe('order', () => {
  it('tells an end only after its beginning was accepted', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().otherwise = unreachable;
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(60_000);
    expect(new Set(delivering.get().take())).toEqual(new Set(['trigger a 1']));
    delivering.get().otherwise = { kind: 'accepted' };
    await delivering.clock.advance(300_000);
    expect(delivering.get().story).toEqual(['trigger a 1', 'resolve a 1']);
  });

  it('finishes one episode before the next', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    await delivering.trigger(firing('a'));
    delivering.get().otherwise = serverError;
    await delivering.resolve(firing('a'));
    await delivering.trigger(firing('a', 2));
    await delivering.clock.advance(10_000);
    delivering.get().take();
    delivering.get().otherwise = { kind: 'accepted' };
    await delivering.clock.advance(300_000);
    expect(delivering.get().story).toEqual(['resolve a 1', 'trigger a 2']);
  });
});

describe('other settings', () => {
  it('leave alone a receiver whose own are as they were: it waits as long as it was asked to', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().queued.push({ ...limited, wait: hour / 4 });
    await delivering.trigger(firing('a'));
    await delivering.deliverer.reconfigure(structuredClone(delivering.settings));
    await delivering.clock.advance(hour / 8);
    expect([delivering.get().take(), delivering.get().closed]).toEqual([['trigger a 1'], 0]);
    await delivering.clock.advance(hour / 8);
    expect(delivering.get().story).toEqual(['trigger a 1']);
  });

  it.each([
    ['its way', { receivers: [{ ...settingsOf('one'), way: { kind: 'webhook', url: { file: 'another' } } as const }] }],
    ['the address of the links', { receivers: [settingsOf('one')], externalUrl: 'https://warden.example.org/' }],
  ])('try a receiver at once where %s is another', async (_, settings) => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().queued.push({ ...limited, wait: hour / 4 });
    await delivering.trigger(firing('a'));
    await delivering.deliverer.reconfigure(settings);
    await delivering.clock.settle();
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger a 1']);
    expect(delivering.get().closed).toBe(1);
  });

  it('gives up what is owed to a receiver that is gone, and says so', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().otherwise = unreachable;
    await delivering.trigger(firing('a'), { to: [{}, { receiver: 'two' }] });
    await delivering.deliverer.reconfigure({ receivers: [settingsOf('two')] });
    expect(await delivering.rows('lanes')).toMatchObject([{ receiver: 'two' }]);
    expect(delivering.log.lines).toContainEqual({
      level: 'warn',
      message: 'a receiver is gone, what it is owed is given up',
      fields: { receiver: 'one', owed: 1 },
    });
    expect(delivering.get().closed).toBe(1);
  });
});
