import { describe, expect, it } from 'vitest';
import type { ReceiverResponse } from '../../src/notify/notifier.ts';
import {
  accepted,
  DeliveryTestbed,
  type FakeReceiver,
  firing,
  hour,
  settingsOf,
  unreachable,
} from './delivery-testbed.ts';

const both = [{}, { receiver: 'two' }];

/** Two receivers with the open incident `a`. */
async function withOpenIncident(): Promise<DeliveryTestbed> {
  const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
  await delivering.trigger(firing('a'), { to: both });
  delivering.receiver().take();
  return delivering;
}

async function reload(delivering: DeliveryTestbed, ...names: readonly string[]): Promise<void> {
  await delivering.deliverer.reconfigure({ receivers: names.map((name) => settingsOf(name)) });
  await delivering.clock.settle();
}

async function reconcile(delivering: DeliveryTestbed, ...keys: readonly string[]): Promise<void> {
  const alerts = new Map(keys.map((key) => [key, firing(key)]));
  const plan = delivering.deliverer.reconcile(alerts, delivering.clock.now());
  await delivering.store.commit(plan.changes);
  plan.release();
  await delivering.clock.settle();
}

describe('receiver that a reload removes', () => {
  it('gets the end of its open incidents, then its rows are deleted', async () => {
    const delivering = await withOpenIncident();
    await reload(delivering, 'two');
    expect(delivering.receiver().story).toEqual(['resolve a 1']);
    await delivering.clock.advance(2000);
    expect(await delivering.rows('lanes')).toMatchObject([{ receiver: 'two' }]);
    expect(delivering.receiver().closed).toBe(1);
    expect(delivering.log.lines.at(-1)).toMatchObject({ message: 'receiver removed', fields: { receiver: 'one' } });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
  });

  it('gets the resolve when it is back, and no new incidents', async () => {
    const delivering = await withOpenIncident();
    delivering.receiver().defaultResponse = unreachable;
    await reload(delivering, 'two');
    await delivering.trigger(firing('b'), { to: both });
    await delivering.clock.advance(hour);
    delivering.receiver().take();
    delivering.receiver().defaultResponse = accepted;
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual(['resolve a 1']);
    expect(delivering.deliverer.views(delivering.clock.now()).map(({ receiver }) => receiver)).toEqual(['two']);
  });

  it('that stays away for a day is reported with its open incidents', async () => {
    const delivering = await withOpenIncident();
    delivering.receiver().defaultResponse = unreachable;
    await reload(delivering, 'two');
    await delivering.clock.advance(25 * hour);
    expect(await delivering.rows('lanes')).toMatchObject([{ receiver: 'two' }]);
    const fields = { receiver: 'one', open: 1, incidents: ['a-1'] };
    expect(delivering.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'open incidents of a removed receiver dropped', fields }),
    );
  });

  it('and the next one adds again has its open incidents triggered again, unless they ended', async () => {
    const delivering = await withOpenIncident();
    await delivering.trigger(firing('b'));
    delivering.receiver().take();
    delivering.receiver().queuedResponses.push(unreachable, unreachable);
    await reload(delivering, 'two');
    await reload(delivering, 'one', 'two');
    await reconcile(delivering, 'a');
    await delivering.clock.advance(60_000);
    expect(delivering.receiver().story.at(-1)?.split(', ').toSorted()).toEqual(['resolve b 1', 'trigger a 1']);
    await reload(delivering, 'one', 'two');
    expect(delivering.view()).toMatchObject({ depth: 0 });
  });

  it('and the next one adds again before it responds gets the trigger after the resolve', async () => {
    const delivering = await withOpenIncident();
    const { promise, resolve } = Promise.withResolvers<ReceiverResponse>();
    delivering.receiver().queuedResponses.push(promise);
    await reload(delivering, 'two');
    await reload(delivering, 'one', 'two');
    await reconcile(delivering, 'a');
    await delivering.trigger(firing('a'));
    resolve(accepted);
    await delivering.clock.settle();
    expect(delivering.receiver().story).toEqual(['resolve a 1', 'trigger a 1']);
    await delivering.resolve(firing('a'));
    expect(delivering.receiver().story.at(-1)).toBe('resolve a 1');
  });
});

/** Alerts of the received requests with the time of their opening at the receiver. */
function openings({ sent }: FakeReceiver) {
  return sent.flatMap(({ request }) =>
    request.kind === 'alerts' ? request.alerts.map(({ status }, at) => [status, request.openedAt?.[at]]) : [],
  );
}

describe('time of the opening of an incident', () => {
  it('is another one if the receiver is added again after its rows are deleted', async () => {
    const delivering = await withOpenIncident();
    await reload(delivering, 'two');
    await delivering.clock.advance(2000);
    delivering.receiver().take();
    const { wall } = delivering.clock.now();
    await reload(delivering, 'one', 'two');
    await delivering.trigger(firing('a'), { to: both });
    await delivering.resolve(firing('a'));
    expect(openings(delivering.receiver())).toEqual([
      ['firing', wall],
      ['resolved', wall],
    ]);
  });

  it('is another one if the receiver is added again before it accepts the end', async () => {
    const delivering = await withOpenIncident();
    delivering.receiver().queuedResponses.push(unreachable, unreachable);
    await reload(delivering, 'two');
    await delivering.clock.advance(10);
    await reload(delivering, 'one', 'two');
    delivering.receiver().take();
    const { wall } = delivering.clock.now();
    await reconcile(delivering, 'a');
    await delivering.clock.advance(60_000);
    await delivering.resolve(firing('a'));
    expect(openings(delivering.receiver())).toEqual([
      ['firing', wall],
      ['resolved', wall],
    ]);
  });

  it('is the same in a retry, after a crash and if the trigger is repeated before the resolve', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    const { wall } = delivering.clock.now();
    delivering.receiver().queuedResponses.push(unreachable, 'hang', unreachable);
    await delivering.trigger(firing('a'));
    await delivering.clock.advance(5000);
    await delivering.restart();
    await delivering.resolve(firing('a'));
    await delivering.clock.advance(60_000);
    const expected = ['firing', 'firing', 'firing', 'firing', 'resolved'].map((status) => [status, wall]);
    expect(openings(delivering.receiver())).toEqual(expected);
  });
});

describe('receiver that a reload renames', () => {
  it('keeps its notifications: none is sent twice, and the resolve is sent to the new name', async () => {
    const delivering = await withOpenIncident();
    const renamed = { ...settingsOf('one'), name: 'first' };
    delivering.receivers.set('first', delivering.receiver());
    await delivering.deliverer.reconfigure({ receivers: [renamed, settingsOf('two')] });
    await delivering.trigger(firing('a'), { to: [{ receiver: 'first' }] });
    expect(delivering.receiver().take()).toEqual([]);
    expect(new Set((await delivering.rows('lanes')).map(({ receiver }) => receiver))).toEqual(
      new Set(['first', 'two']),
    );
    await delivering.resolve(firing('a'));
    expect(delivering.receiver().take()).toEqual(['resolve a 1']);
  });
});

describe('receiver that is renamed before a start', () => {
  /** A receiver that a restart renamed from `one` to `first`, with the endpoint of `one`. */
  async function renamedByRestart(): Promise<DeliveryTestbed> {
    const delivering = await withOpenIncident();
    delivering.receivers.set('first', delivering.receiver());
    delivering.settings = { receivers: [{ ...settingsOf('one'), name: 'first' }, settingsOf('two')] };
    await delivering.restart();
    return delivering;
  }

  it('counts as removed and new: it gets the trigger of a firing alert again, with the same incident, and its end', async () => {
    const delivering = await renamedByRestart();
    await delivering.trigger(firing('a'), { to: [{ receiver: 'first' }] });
    await delivering.resolve(firing('a'));
    expect(delivering.receiver('first').story).toEqual(['trigger a 1', 'resolve a 1']);
    expect(delivering.log.lines).toContainEqual(
      expect.objectContaining({
        message: 'receiver removed with open incidents',
        fields: expect.objectContaining({ receiver: 'one', incidents: ['a-1'] }),
      }),
    );
  });

  it('gets the end of an incident that ended before when a reload renames it back', async () => {
    const delivering = await renamedByRestart();
    await delivering.trigger(firing('b'), { to: [{ receiver: 'first' }] });
    delivering.receiver('first').take();
    await reload(delivering, 'one', 'two');
    await reconcile(delivering, 'b');
    expect(delivering.receiver().take()).toEqual(['resolve a 1']);
    await delivering.resolve(firing('b'));
    expect(delivering.receiver().take()).toEqual(['resolve b 1']);
    expect(await delivering.rows('lanes')).toEqual([]);
  });
});

describe('receiver that is removed before a start', () => {
  it('is reported with its open incidents, whose rows are kept for a day', async () => {
    const delivering = await withOpenIncident();
    delivering.settings = { receivers: [settingsOf('two')] };
    await delivering.restart();
    expect(delivering.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'receiver removed with open incidents',
        fields: expect.objectContaining({ receiver: 'one', open: 1, incidents: ['a-1'] }),
      }),
    );
    expect(await delivering.rows('lanes')).toHaveLength(2);
    await delivering.clock.advance(25 * hour);
    expect(await delivering.rows('lanes')).toMatchObject([{ receiver: 'two' }]);
  });

  it('gets the end of its incidents when it is configured again', async () => {
    const delivering = await withOpenIncident();
    delivering.settings = { receivers: [settingsOf('two')] };
    await delivering.restart();
    await reload(delivering, 'one', 'two');
    await reconcile(delivering);
    expect(delivering.receiver().story).toEqual(['resolve a 1']);
  });
});
