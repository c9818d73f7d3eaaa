import { describe, expect, it } from 'vitest';
import type { ReceiverResponse } from '../../src/notify/notifier.ts';
import {
  accepted,
  DeliveryTestbed,
  firing,
  hour,
  limited,
  serverError,
  settingsOf,
  unreachable,
} from './delivery-testbed.ts';

describe('deliverer', () => {
  it('sends a trigger after its release, then the resolve', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
    await delivering.resolve(firing('a'));
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'resolve a 1']);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('writes accepted notifications to the history', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    expect(await delivering.rows('notifications')).toMatchObject([
      { receiver: 'one', key: 'a', episode: 1, action: 'trigger', result: 'accepted' },
      { receiver: 'one', key: 'a', episode: 1, action: 'resolve', result: 'accepted' },
    ]);
  });

  it('sends no notification before the release of the plan', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    const { wall } = delivering.clock.now();
    const to = [{ receiver: 'one', group: {}, groupWait: 0 }];
    const notice = { kind: 'trigger', alert: firing('a'), isReminder: false, to, due: wall } as const;
    const plan = delivering.deliverer.plan([notice], delivering.clock.now());
    expect(plan.changes).toMatchObject([{ table: 'lanes', put: { receiver: 'one', key: 'a' } }]);
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual([]);
    plan.release();
    plan.release();
    await delivering.clock.settle();
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it('repeats an accepted incident as a reminder', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    await delivering.trigger(firing('a'), { again: true });
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'again a 1']);
  });
});

describe('order of delivery', () => {
  it('sends the resolve only after the accepted trigger', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().defaultResponse = unreachable;
    await delivering.trigger(firing('a'));
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(60_000);
    expect(new Set(delivering.receiver().take())).toEqual(new Set(['trigger a 1']));
    delivering.receiver().defaultResponse = { kind: 'accepted' };
    await delivering.clock.advance(300_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'resolve a 1']);
  });

  it('sends the resolve of an incident before the next trigger', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().defaultResponse = serverError;
    await delivering.resolve(firing('a'));
    await delivering.trigger(firing('a', 2));
    await delivering.clock.advance(10_000);
    delivering.receiver().take();
    delivering.receiver().defaultResponse = { kind: 'accepted' };
    await delivering.clock.advance(300_000);
    expect(delivering.receiver().story).toEqual(['resolve a 1', 'trigger a 2']);
  });
});

describe('reconfigure', () => {
  it('does not shorten the pause of a receiver whose settings are unchanged', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push({ ...limited, wait: hour / 4 });
    await delivering.trigger(firing('a'));
    await delivering.deliverer.reconfigure(structuredClone(delivering.settings));
    await delivering.clock.advance(hour / 8);
    expect([delivering.receiver().take(), delivering.receiver().closed]).toEqual([['trigger a 1'], 0]);
    await delivering.clock.advance(hour / 8);
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it.each([
    ['secret', { receivers: [{ ...settingsOf('one'), secrets: { url: { file: 'another' } } }] }],
    ['external URL', { receivers: [settingsOf('one')], externalUrl: 'https://warden.example.org/' }],
  ])('retries a receiver at once after a change of its %s', async (_, settings) => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push({ ...limited, wait: hour / 4 });
    await delivering.trigger(firing('a'));
    await delivering.deliverer.reconfigure(settings);
    await delivering.clock.settle();
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger a 1']);
    expect(delivering.receiver().closed).toBe(1);
  });

  const elsewhere = { ...settingsOf('one'), secrets: { url: { file: 'another' } } };

  it.each([
    ['an address that determines the recipient', ['url'], elsewhere, ['trigger a 1', 'resolve a 1']],
    ['another kind', ['url'], { ...settingsOf('one'), kind: 'other' }, ['trigger a 1', 'resolve a 1']],
    ['another secret', ['channel'], elsewhere, ['resolve a 1']],
  ])('sends open incidents again after a change to %s: %j', async (_, recipientKeys, settings, story) => {
    const delivering = await new DeliveryTestbed({ one: { recipientKeys } }).start();
    await delivering.trigger(firing('a'));
    await delivering.trigger(firing('b'));
    await delivering.resolve(firing('b'));
    delivering.receiver().take();
    await delivering.deliverer.reconfigure({ receivers: [settings] });
    await delivering.clock.settle();
    await delivering.resolve(firing('a'));
    expect(delivering.receiver().story).toEqual(story);
  });

  it('sends an incident to a changed recipient although the former one accepts the trigger during the reload', async () => {
    const delivering = await new DeliveryTestbed({ one: { recipientKeys: ['url'] } }).start();
    const { promise, resolve } = Promise.withResolvers<ReceiverResponse>();
    delivering.receiver().queuedResponses.push(promise);
    await delivering.trigger(firing('a'));
    expect(delivering.receiver().take()).toEqual(['trigger a 1']);
    await delivering.deliverer.reconfigure({ receivers: [elsewhere] });
    resolve(accepted);
    await delivering.clock.settle();
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it('sends open incidents to another recipient also if the daemon stops before they are sent', async () => {
    const delivering = await new DeliveryTestbed({ one: { recipientKeys: ['url'] } }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().take();
    delivering.receiver().queuedResponses.push('hang');
    await delivering.deliverer.reconfigure({ receivers: [elsewhere] });
    await delivering.clock.settle();
    await delivering.restart();
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger a 1']);
  });
});
