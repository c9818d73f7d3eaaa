import { describe, expect, it } from 'vitest';
import { err } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { accepted, DeliveryTestbed, firing, unreachable } from '../delivery-testbed.ts';

describe('receiver that hangs', () => {
  it('does not delay other receivers, and gets the request again after 30 s', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().queuedResponses.push('hang');
    await delivering.trigger(firing('a'), { to: [{}, { receiver: 'two' }] });
    expect(delivering.receiver('two').sent.map(({ at }) => at)).toEqual([0]);
    await delivering.clock.advance(29_999);
    expect(delivering.receiver().sent).toHaveLength(1);
    await delivering.clock.advance(2000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger a 1']);
    const failed = delivering.log.lines.find(({ message }) => message === 'notification failed');
    expect(failed?.fields).toMatchObject({ receiver: 'one', error: 'no answer within 30 s' });
  });

  it('counts as a receiver that times out', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().defaultResponse = 'hang';
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(30_000);
    expect(delivering.view()).toMatchObject({ result: 'timeout', depth: 1, failing: false });
    await delivering.clock.advance(400_000);
    expect(delivering.view()).toMatchObject({ failing: true });
  });
});

describe('receiver that responds in time', () => {
  it('does not have its request aborted after the response', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    const receiver = delivering.receiver();
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

describe('notifier that throws', () => {
  it('is logged as an error, and the request is retried', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    const receiver = delivering.receiver();
    const send = receiver.send.bind(receiver);
    receiver.send = async () => {
      receiver.send = send;
      throw new Error('a bug');
    };
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(2000);
    expect(receiver.story).toEqual(['trigger a 1']);
    expect(delivering.log.lines[0]).toMatchObject({ level: 'error', message: 'notifier threw an exception' });
  });
});

describe('log of a receiver', () => {
  it('has one line for an outage and one for its end, and one at info for each attempt', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push(unreachable, unreachable, unreachable);
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(60_000);
    expect(delivering.log.lines.map(({ level, message }) => [level, message])).toEqual([
      ['info', 'notification failed'],
      ['warn', 'delivery failing'],
      ['info', 'notification failed'],
      ['info', 'notification failed'],
      ['info', 'notification accepted'],
      ['info', 'delivery recovered'],
    ]);
    expect(delivering.log.lines[0]?.fields).toMatchObject({
      receiver: 'one',
      action: 'trigger',
      result: 'unavailable',
    });
    expect(delivering.log.lines[4]?.fields).toEqual({ receiver: 'one', action: 'trigger', incident: 'a-1' });
  });
});

describe('receiver that accepts a request partially', () => {
  it('is logged as such', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push({ ...accepted, but: 'refused x@b' }, accepted);
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    expect(delivering.log.lines.map(({ level, message, fields }) => [level, message, fields?.error])).toEqual([
      ['info', 'notification accepted', undefined],
      ['warn', 'notification partially accepted', 'refused x@b'],
      ['info', 'notification accepted', undefined],
      ['info', 'delivery recovered', undefined],
    ]);
  });
});

describe('store', () => {
  it('does not stop the delivery if writes fail', async () => {
    const whole = memoryStore();
    const store: Store = {
      durable: false,
      problem: 'full',
      wasRecreated: false,
      mergeCount: 0,
      history: whole.history,
      commit: async () => err('the disk is full'),
      find: (query) => whole.find(query),
      count: (query) => whole.count(query),
      close: () => whole.close(),
    };
    const delivering = await new DeliveryTestbed({ one: {} }, store).start();
    delivering.receiver().queuedResponses.push(unreachable);
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(5000);
    await delivering.resolve(firing('a'));
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger a 1', 'resolve a 1']);
    const said = delivering.log.lines.filter(({ message }) => message.includes('write failed'));
    expect(said.map(({ fields }) => fields)).toEqual([{ receiver: 'one', error: 'the disk is full' }]);
  });

  it('is written before a request is sent', async () => {
    const whole = memoryStore();
    const order: string[] = [];
    const store: Store = {
      durable: true,
      problem: undefined,
      wasRecreated: false,
      mergeCount: 0,
      history: whole.history,
      commit: async (changes) => {
        const rows = JSON.stringify(changes);
        const result = await whole.commit(changes);
        order.push(
          rows.includes('maybe') ? 'marked' : rows.includes('"result":"accepted"') ? 'acknowledged' : 'enqueued',
        );
        return result;
      },
      find: (query) => whole.find(query),
      count: (query) => whole.count(query),
      close: () => whole.close(),
    };
    const delivering = await new DeliveryTestbed({ one: {} }, store).start();
    const receiver = delivering.receiver();
    const send = receiver.send.bind(receiver);
    receiver.send = async (...notification) => {
      order.push('sent');
      return send(...notification);
    };
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    expect(order).toEqual(['enqueued', 'marked', 'sent', 'acknowledged', 'enqueued', 'sent', 'acknowledged']);
  });
});

describe('replaced notifier', () => {
  it('is used after the request in flight, and the old notifier is closed', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    const receiver = delivering.receiver();
    receiver.queuedResponses.push('hang');
    await delivering.trigger(firing('a'));
    await delivering.deliverer.reconfigure({ ...delivering.settings, externalUrl: 'https://warden.example.org/' });
    await delivering.clock.settle();
    expect(receiver.closed).toBe(0);
    receiver.defaultResponse = accepted;
    await delivering.clock.advance(32_000);
    expect(receiver.story).toEqual(['trigger a 1', 'trigger a 1']);
    expect(receiver.closed).toBe(1);
  });
});
