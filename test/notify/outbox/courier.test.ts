import { describe, expect, it } from 'vitest';
import { err } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/memory-store.ts';
import { accepted, Delivering, firing, unreachable } from '../delivering.ts';

describe('a receiver that hangs', () => {
  it('delays no other, and is tried again after 30 s', async () => {
    const delivering = await new Delivering({ one: {}, two: {} }).begin();
    delivering.get().queued.push('hang');
    await delivering.trigger(firing('a'), { to: [{}, { receiver: 'two' }] });
    expect(delivering.get('two').got.map(({ at }) => at)).toEqual([0]);
    await delivering.clock.advance(29_999);
    expect(delivering.get().got).toHaveLength(1);
    await delivering.clock.advance(2000);
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger a 1']);
    expect(delivering.log.lines[0]?.fields).toMatchObject({ receiver: 'one', reason: 'no answer within 30 s' });
  });

  it('counts as one that did not answer', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().otherwise = 'hang';
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(30_000);
    expect(delivering.view()).toMatchObject({ result: 'timeout', depth: 1, failing: false });
    await delivering.clock.advance(400_000);
    expect(delivering.view()).toMatchObject({ failing: true });
  });
});

describe('a receiver that answers in time', () => {
  it('may go on with the letter behind its answer', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    const receiver = delivering.get();
    const send = receiver.send.bind(receiver);
    const signals: AbortSignal[] = [];
    receiver.send = (...given) => {
      signals.push(given[3]);
      return send(...given);
    };
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(60_000);
    expect(receiver.story).toEqual(['trigger a 1']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('a notifier that throws', () => {
  it('is a bug that is logged, and the letter is tried again', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    const receiver = delivering.get();
    const send = receiver.send.bind(receiver);
    receiver.send = async () => {
      receiver.send = send;
      throw new Error('a bug');
    };
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(2000);
    expect(receiver.story).toEqual(['trigger a 1']);
    expect(delivering.log.lines[0]).toMatchObject({ level: 'error', message: 'a notifier threw, which is a bug' });
  });
});

describe('what is said of a receiver', () => {
  it('is said once, and once when it is over', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().queued.push(unreachable, unreachable, unreachable);
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(60_000);
    expect(delivering.log.lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'a receiver does not take notifications'],
      ['info', 'the receiver takes notifications again'],
    ]);
  });
});

describe('a receiver that takes a letter for some alone', () => {
  it('has that said of it', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    delivering.get().queued.push({ ...accepted, but: 'refused x@b' }, accepted);
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    expect(delivering.log.lines.map(({ level, message, fields }) => [level, message, fields?.reason])).toEqual([
      ['warn', 'a receiver takes notifications in part', 'refused x@b'],
      ['info', 'the receiver takes notifications again', undefined],
    ]);
  });
});

describe('a store that cannot be written', () => {
  it('keeps nobody from being told', async () => {
    const whole = memoryStore();
    const store: Store = {
      durable: false,
      trouble: 'full',
      begunAnew: false,
      commit: async () => err('the disk is full'),
      find: (question) => whole.find(question),
      count: (question) => whole.count(question),
      close: () => whole.close(),
    };
    const delivering = await new Delivering({ one: {} }, store).begin();
    delivering.get().queued.push(unreachable);
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(5000);
    await delivering.resolve(firing('a'));
    expect(delivering.get().story).toEqual(['trigger a 1', 'trigger a 1', 'resolve a 1']);
    const said = delivering.log.lines.filter(({ message }) => message.includes('stored'));
    expect(said.map(({ fields }) => fields)).toEqual([{ receiver: 'one', reason: 'the disk is full' }]);
  });

  it('is asked to write what is on its way before it leaves', async () => {
    const whole = memoryStore();
    const order: string[] = [];
    const store: Store = {
      durable: true,
      trouble: undefined,
      begunAnew: false,
      commit: async (changes) => {
        const rows = JSON.stringify(changes);
        const result = await whole.commit(changes);
        order.push(rows.includes('maybe') ? 'marked' : rows.includes('accepted') ? 'acknowledged' : 'owed');
        return result;
      },
      find: (question) => whole.find(question),
      count: (question) => whole.count(question),
      close: () => whole.close(),
    };
    const delivering = await new Delivering({ one: {} }, store).begin();
    const receiver = delivering.get();
    const send = receiver.send.bind(receiver);
    receiver.send = async (...letter) => {
      order.push('sent');
      return send(...letter);
    };
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    expect(order).toEqual(['owed', 'marked', 'sent', 'acknowledged', 'owed', 'sent', 'acknowledged']);
  });
});

describe('a new way to the receiver', () => {
  it('is taken after the letter that is under way, and the old one is closed', async () => {
    const delivering = await new Delivering({ one: {} }).begin();
    const receiver = delivering.get();
    receiver.queued.push('hang');
    await delivering.trigger(firing('a'));
    await delivering.deliverer.reconfigure({ ...delivering.settings, externalUrl: 'https://warden.example.org/' });
    await delivering.clock.settle();
    expect(receiver.closed).toBe(0);
    receiver.otherwise = accepted;
    await delivering.clock.advance(32_000);
    expect(receiver.story).toEqual(['trigger a 1', 'trigger a 1']);
    expect(receiver.closed).toBe(1);
  });
});
