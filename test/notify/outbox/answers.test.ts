import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/notify/notifier.ts';
import {
  accepted,
  broken,
  Delivering,
  firing,
  hour,
  limited,
  refused,
  serverError,
  unreachable,
} from '../delivering.ts';

const day = 24 * hour;

async function withTwo(answer: Answer): Promise<Delivering> {
  const delivering = await new Delivering({ one: { batch: 1 } }).begin();
  delivering.get().queued.push(answer);
  await delivering.trigger(firing('a'));
  await delivering.trigger(firing('b'));
  return delivering;
}

describe('a receiver that wants less', () => {
  it('is left alone for as long as it says, with everything', async () => {
    const delivering = await withTwo({ ...limited, wait: 90_000 });
    await delivering.clock.advance(89_999);
    expect(delivering.get().take()).toEqual(['trigger a 1']);
    await delivering.clock.advance(1);
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger b 1']);
  });

  it('is left alone for 30 s where it does not say, and an episode that ends meanwhile was never told', async () => {
    const delivering = await withTwo(limited);
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(31_000);
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger b 1', 'digest 1']);
  });
});

describe('a receiver that fails', () => {
  it('is tried again with pauses that grow, and takes what may have arrived before anything else is said of it', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.chance = 1;
    delivering.get().otherwise = serverError;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(16_000);
    expect(delivering.get().got.map(({ at }) => at)).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(delivering.log.lines.map(({ message }) => message)).toEqual(['a receiver does not take notifications']);
  });

  it('does not let one letter that it cannot take hold up the others', async () => {
    const delivering = await withTwo(serverError);
    delivering.get().queued.push(accepted, serverError, serverError);
    await delivering.clock.advance(300_000);
    expect(delivering.get().story.slice(0, 2)).toEqual(['trigger a 1', 'trigger b 1']);
    expect(delivering.get().story.slice(2)).toEqual(['trigger a 1', 'trigger a 1', 'trigger a 1']);
    expect(delivering.view()).toMatchObject({ depth: 0 });
  });

  it.each([
    ['a day where it answers', serverError, day],
    ['a week where it does not', unreachable, 7 * day],
  ])('is given up after %s, which is said', async (_, answer, length) => {
    const delivering = await new Delivering({ one: { takesDigests: false } }).begin();
    delivering.get().otherwise = answer;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(length - hour);
    expect(delivering.view()).toMatchObject({ parked: 0, depth: 1, failing: true, result: 'unavailable' });
    await delivering.clock.advance(2 * hour);
    expect(delivering.view()).toMatchObject({ parked: 1, depth: 0, failing: true });
    expect(delivering.log.lines.at(-1)).toMatchObject({ level: 'error', message: 'a notification was given up' });
    const history = await delivering.rows('notifications');
    expect(history).toMatchObject([{ key: 'a', action: 'trigger', result: 'parked' }]);
  });

  it('gets what was given up once it takes anything again', async () => {
    const delivering = await new Delivering({ one: { takesDigests: false } }).begin();
    delivering.get().otherwise = serverError;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(day + hour);
    delivering.get().take();
    delivering.get().otherwise = accepted;
    await delivering.trigger(firing('b'));
    await delivering.clock.advance(600_000);
    expect(delivering.get().story).toEqual(['trigger b 1', 'trigger a 1']);
    expect(delivering.view()).toMatchObject({ parked: 0, failing: false });
  });

  it('is told of the end of what was given up, after its beginning', async () => {
    const delivering = await new Delivering({ one: { takesDigests: false } }).begin();
    delivering.get().otherwise = serverError;
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(day + hour);
    delivering.get().take();
    delivering.get().otherwise = accepted;
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(600_000);
    expect(delivering.get().story).toEqual(['trigger a 1', 'resolve a 1']);
  });

  it('is not failing for ever when nobody waits for it any more', async () => {
    const delivering = await new Delivering({ one: { takesDigests: false } }).begin();
    delivering.get().queued.push(limited);
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(hour);
    expect(delivering.view()).toMatchObject({ failing: false, depth: 0, result: 'limited' });
    expect(await delivering.rows('lanes')).toEqual([]);
  });
});

describe('a broken receiver', () => {
  it('keeps its queue, is tried every five minutes and counts as failing at once', async () => {
    const delivering = await withTwo(broken);
    expect(delivering.view()).toMatchObject({ failing: true, result: 'broken', depth: 2 });
    await delivering.clock.advance(299_999);
    expect(delivering.get().take()).toEqual(['trigger a 1']);
    await delivering.clock.advance(1);
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger b 1']);
    expect(delivering.view()).toMatchObject({ failing: false, depth: 0 });
  });

  it('leaves its triggers to the fallback at once, and the end goes to both', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().queued.push(broken);
    const to = [{ fallback: 'two' }];
    await delivering.trigger(firing('a'), { to });
    expect(delivering.get('two').story).toEqual(['trigger a 1']);
    await delivering.trigger(firing('b'), { to });
    expect(delivering.get('two').story).toEqual(['trigger a 1', 'trigger b 1']);
    await delivering.clock.advance(300_000);
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger a 1, trigger b 1']);
    await delivering.resolve(firing('a'));
    expect(delivering.get('two').story.at(-1)).toBe('resolve a 1');
    expect(delivering.get().story.at(-1)).toBe('resolve a 1');
  });

  it('is still broken after a restart, until it was asked again', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().otherwise = broken;
    await delivering.trigger(firing('a'));
    const { failingSince } = delivering.view();
    await delivering.clock.advance(60_000);
    delivering.get().otherwise = broken;
    await delivering.restart();
    expect(delivering.view()).toMatchObject({ failing: true, failingSince });
    delivering.get().otherwise = { kind: 'accepted' };
    await delivering.clock.advance(300_000);
    expect(delivering.view()).toMatchObject({ failing: false, depth: 0 });
  });

  it('makes the fallback wait no longer for company of another way to it', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().otherwise = broken;
    const to = [{ fallback: 'two' }, { receiver: 'two', groupWait: 30_000 }];
    await delivering.trigger(firing('a'), { to });
    expect(delivering.get('two').story).toEqual(['trigger a 1']);
    await delivering.trigger(firing('b'), { to: to.toReversed() });
    expect(delivering.get('two').story).toEqual(['trigger a 1', 'trigger b 1']);
    await delivering.clock.advance(60_000);
    expect(delivering.get('two').story).toHaveLength(2);
  });

  it('leaves them to the fallback as well where it has taken nothing for five minutes', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().otherwise = unreachable;
    await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
    await delivering.clock.advance(200_000);
    expect(delivering.get('two').story).toEqual([]);
    await delivering.clock.advance(400_000);
    expect(delivering.get('two').story).toEqual(['trigger a 1']);
  });

  it('is tried at once with other settings', async () => {
    const delivering = await withTwo(broken);
    await delivering.deliverer.reconfigure({ ...delivering.settings, externalUrl: 'https://warden.example.org/' });
    await delivering.clock.settle();
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger a 1', 'trigger b 1']);
    expect(delivering.get().closed).toBe(1);
  });
});

describe('a letter that is refused', () => {
  it('is tried in fewer words, then given up, and others have to hear of it', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().otherwise = refused;
    await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
    expect(delivering.get().got.map(({ detail }) => detail)).toEqual(['full', 'short', 'minimal']);
    expect(delivering.view()).toMatchObject({ parked: 1, failing: true, depth: 0 });
    expect(delivering.get('two').story).toEqual(['trigger a 1']);
  });

  it('needs no end where it was never taken', async () => {
    const delivering = await new Delivering({ one: { takesDigests: false } }).begin();
    delivering.get().otherwise = refused;
    await delivering.trigger(firing('a'));
    delivering.get().take();
    await delivering.resolve(firing('a'));
    expect(delivering.get().story).toEqual([]);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('is looked through for the guilty alert by halves', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    const receiver = delivering.get();
    const send = receiver.send.bind(receiver);
    receiver.send = async (letter, ...rest) => {
      receiver.otherwise =
        letter.kind === 'alerts' && letter.alerts.some(({ key }) => key === 'c') ? refused : accepted;
      return send(letter, ...rest);
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

  it('is told again without those who are named', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().queued.push({ ...refused, culprits: [1] });
    const to = [{ groupWait: 1000 }];
    for (const key of ['a', 'b', 'c']) await delivering.trigger(firing(key), { to });
    await delivering.clock.advance(60_000);
    const told = delivering.get().got.map(({ detail }, at) => `${detail}: ${delivering.get().story[at]}`);
    expect(told).toEqual([
      'full: trigger a 1, trigger b 1, trigger c 1',
      'full: trigger a 1, trigger c 1',
      'short: trigger b 1',
    ]);
  });
});
