import { describe, expect, it } from 'vitest';
import type { NotifierTraits } from '../../../src/notify/notifier.ts';
import { parseNotification } from '../../../src/notify/outbox/notification-rows.ts';
import { accepted, broken, DeliveryTestbed, firing, hour, limited, refused, unreachable } from '../delivery-testbed.ts';

const second = 1000;
const minute = 60 * second;
const alert = firing('a', 1, 'warning');
const grouped = { to: [{ groupWait: 45 * second }] };

async function startBed(traits: Partial<NotifierTraits> = {}): Promise<DeliveryTestbed> {
  return new DeliveryTestbed({ one: traits }).start();
}

async function logOf(delivering: DeliveryTestbed): Promise<readonly string[]> {
  const entries = (await delivering.rows('notifications')).flatMap((row) => parseNotification(row) ?? []);
  return entries.map(({ action, result, reason }) => `${action} ${result} ${reason}`);
}

function deliveryOf(delivering: DeliveryTestbed) {
  return delivering.deliverer.deliveries(alert, delivering.clock.now())[0];
}

describe('an incident that is suppressed in its group wait', () => {
  it('is not sent, and another incident of its group is', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert, grouped);
    await delivering.trigger(firing('b', 1, 'warning'), grouped);
    await delivering.suppress(alert);
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual(['trigger b 1']);
  });

  it('is sent after another group wait when the suppression ends', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert, grouped);
    await delivering.suppress(alert);
    await delivering.clock.advance(hour);
    await delivering.trigger(alert, grouped);
    expect(delivering.view()).toMatchObject({ depth: 1, oldestDue: delivering.clock.now().wall });
    await delivering.clock.advance(44 * second);
    expect(delivering.receiver().story).toEqual([]);
    await delivering.clock.advance(second);
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it('is not pending, and the log states why it is withdrawn', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert, grouped);
    await delivering.suppress(alert);
    expect([delivering.view().depth, delivering.deliverer.unattempted(delivering.clock.now())]).toEqual([0, []]);
    const reason = 'a silence, a maintenance window or an inhibition suppresses the alert';
    expect(deliveryOf(delivering)).toEqual({
      receiver: 'one',
      state: 'withdrawn',
      action: 'trigger',
      attempts: 0,
      reason,
    });
    expect(await logOf(delivering)).toEqual([`trigger withdrawn ${reason}`]);
    await delivering.suppress(alert);
    await delivering.resolve(alert);
    expect(await logOf(delivering)).toEqual([`trigger withdrawn ${reason}`]);
    expect(deliveryOf(delivering)).toMatchObject({ state: 'withdrawn', reason });
  });

  it.each([false, true])(
    'is in no resolve and no digest if it ends meanwhile, with a restart: %s',
    async (restarts) => {
      const delivering = await startBed();
      await delivering.trigger(alert, grouped);
      await delivering.suppress(alert);
      if (restarts) await delivering.restart();
      await delivering.clock.advance(hour);
      await delivering.resolve(alert);
      await delivering.clock.advance(hour);
      expect(delivering.receiver().story).toEqual([]);
      expect(await delivering.rows('lanes')).toEqual([]);
    },
  );

  it('is not sent with an update, because the routes may lead elsewhere', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert, grouped);
    await delivering.suppress(alert);
    await delivering.update({ ...alert, revision: 1 });
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual([]);
  });

  it('is resolved by the next incident without a notification', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert, grouped);
    await delivering.suppress(alert);
    await delivering.trigger(firing('a', 2, 'warning'));
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual(['trigger a 2']);
  });

  it('keeps an acknowledgement for after its trigger', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert, grouped);
    await delivering.suppress(alert);
    await delivering.acknowledge(alert);
    await delivering.clock.advance(hour);
    expect(delivering.receiver().take()).toEqual([]);
    await delivering.trigger(alert);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'acknowledged a 1']);
  });
});

describe('an incident that is suppressed while its receiver fails', () => {
  it.each([unreachable, limited, broken])(
    'is not retried, and sent when the suppression ends: $kind',
    async (failure) => {
      const delivering = await startBed();
      delivering.receiver().queuedResponses.push(failure);
      await delivering.trigger(alert);
      await delivering.suppress(alert);
      await delivering.clock.advance(hour);
      expect(delivering.receiver().take()).toEqual(['trigger a 1']);
      expect(delivering.view()).toMatchObject({ depth: 0, failing: false });
      await delivering.trigger(alert);
      await delivering.clock.advance(10 * minute);
      expect(delivering.receiver().take()).toEqual(['trigger a 1']);
      await delivering.resolve(alert);
      expect(delivering.receiver().story).toEqual(['resolve a 1']);
    },
  );

  it.each([limited, broken])('has no resolve, because the receiver did not accept it: $kind', async (failure) => {
    const delivering = await startBed();
    delivering.receiver().queuedResponses.push(failure);
    await delivering.trigger(alert);
    await delivering.suppress(alert);
    await delivering.resolve(alert);
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it('has a resolve without another trigger if the receiver may have accepted it, also after a restart', async () => {
    const delivering = await startBed();
    delivering.receiver().queuedResponses.push(unreachable);
    await delivering.trigger(alert);
    await delivering.suppress(alert);
    await delivering.restart();
    await delivering.clock.advance(hour);
    await delivering.resolve(alert);
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'resolve a 1']);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('is not sent to the fallback receiver', async () => {
    const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
    delivering.receiver().defaultResponse = unreachable;
    await delivering.trigger(alert, { to: [{ fallback: 'two' }] });
    await delivering.trigger(firing('b'), { to: [{ fallback: 'two' }] });
    await delivering.suppress(alert);
    await delivering.clock.advance(hour);
    expect(delivering.receiver('two').take()).toEqual(['trigger b 1']);
    await delivering.trigger(alert, { to: [{ fallback: 'two' }] });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
    await delivering.suppress(alert);
    await delivering.resolve(alert);
    expect(delivering.receiver('two').story).toEqual(['trigger a 1', 'resolve a 1']);
  });

  it('is retried when the suppression ends although it was parked', async () => {
    const delivering = await startBed({ acceptsDigests: false });
    delivering.receiver().queuedResponses.push(refused, refused, refused);
    await delivering.trigger(alert);
    await delivering.clock.advance(second);
    expect(delivering.receiver().take()).toHaveLength(3);
    await delivering.suppress(alert);
    await delivering.clock.advance(hour);
    expect(delivering.receiver().take()).toEqual([]);
    await delivering.trigger(alert);
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });
});

describe('an incident that is suppressed during its first request', () => {
  it.each([
    ['accepted', accepted, ['trigger a 1', 'resolve a 1']],
    ['lost', unreachable, ['trigger a 1', 'resolve a 1']],
    ['not accepted', limited, ['trigger a 1']],
  ])('has a resolve only if the receiver may know of it: %s', async (_, response, story) => {
    const delivering = await startBed();
    const answer = Promise.withResolvers<typeof response>();
    delivering.receiver().queuedResponses.push(answer.promise);
    await delivering.trigger(alert);
    await delivering.suppress(alert);
    answer.resolve(response);
    await delivering.clock.advance(hour);
    await delivering.resolve(alert);
    await delivering.clock.advance(hour);
    expect(delivering.receiver().story).toEqual(story);
  });
});

describe('a suppressed incident that the receiver accepted', () => {
  it('has a resolve and acknowledgements, but no pending reminder or update', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert);
    delivering.receiver().queuedResponses.push(limited);
    await delivering.trigger(alert, { again: true });
    await delivering.update({ ...alert, revision: 1 });
    await delivering.suppress({ ...alert, revision: 1 });
    await delivering.clock.advance(hour);
    expect(delivering.receiver().take()).toEqual(['trigger a 1', 'again a 1']);
    expect(deliveryOf(delivering)).toMatchObject({ state: 'accepted', action: 'trigger' });
    await delivering.acknowledge({ ...alert, revision: 1 });
    await delivering.resolve({ ...alert, revision: 1 });
    expect(delivering.receiver().take()).toEqual(['acknowledged a 1', 'resolve a 1']);
  });

  it('has its pending update when the suppression ends, and no second trigger', async () => {
    const delivering = await startBed();
    await delivering.trigger(alert);
    delivering.receiver().queuedResponses.push(limited);
    await delivering.update({ ...alert, revision: 1 });
    await delivering.suppress({ ...alert, revision: 1 });
    await delivering.clock.advance(hour);
    delivering.receiver().take();
    await delivering.trigger({ ...alert, revision: 1 });
    expect(delivering.receiver().story).toEqual(['update a 1']);
  });
});

describe('a level-triggered receiver', () => {
  const traits = { isLevelTriggered: true, acceptsDigests: false };

  it('gets refreshes of a suppressed incident that it accepted', async () => {
    const delivering = await startBed(traits);
    await delivering.trigger(alert);
    await delivering.suppress(alert);
    await delivering.clock.advance(2 * minute);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger a 1', 'trigger a 1']);
  });

  it.each([
    ['in its group wait', 45 * second, []],
    ['whose response was lost', 0, ['trigger a 1', 'resolve a 1']],
  ])('gets no refresh of a suppressed incident %s', async (_, groupWait, story) => {
    const delivering = await startBed(traits);
    delivering.receiver().queuedResponses.push(unreachable);
    await delivering.trigger(alert, { to: [{ groupWait }] });
    await delivering.suppress(alert);
    await delivering.clock.advance(hour);
    delivering.receiver().queuedResponses.length = 0;
    await delivering.resolve(alert);
    await delivering.clock.advance(second);
    expect(delivering.receiver().story).toEqual(story);
  });

  it('gets the present labels with the next refresh, and another receiver with its resolve', async () => {
    const delivering = await new DeliveryTestbed({ one: traits, two: {} }).start();
    await delivering.trigger(alert, { to: [{}, { receiver: 'two' }] });
    const relabeled = { ...alert, labels: { ...alert.labels, team: 'blue' } };
    await delivering.notify({ kind: 'relabel', alert: relabeled, due: delivering.clock.now().wall });
    await delivering.clock.advance(minute);
    expect(delivering.receiver().sent.at(-1)?.request).toMatchObject({ alerts: [{ labels: { team: 'blue' } }] });
    expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
    await delivering.resolve(relabeled);
    await delivering.notify({ kind: 'relabel', alert, due: delivering.clock.now().wall });
    expect(delivering.receiver('two').sent.at(-1)?.request).toMatchObject({ alerts: [{ labels: { team: 'blue' } }] });
  });
});
