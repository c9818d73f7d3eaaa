import { expect, it } from 'vitest';
import type { Destination } from '../../src/model/alert.ts';
import { accepted, broken, DeliveryTestbed, firing, limited, settingsOf, unreachable } from './delivery-testbed.ts';

/** Reloads with some receivers and the destinations of the incident `a`. */
async function reload(delivering: DeliveryTestbed, names: readonly string[], to: readonly Partial<Destination>[]) {
  await delivering.deliverer.reconfigure({ receivers: names.map((name) => settingsOf(name)) });
  const destinations = to.map((one): Destination => ({ receiver: 'one', group: {}, groupWait: 0, ...one }));
  const firingAlerts = new Map([['a', firing('a')]]);
  const plan = delivering.deliverer.reconcile(firingAlerts, delivering.clock.now(), new Map([['a', destinations]]));
  await delivering.store.commit(plan.changes);
  plan.release();
  await delivering.clock.settle();
}

function warnings({ log }: DeliveryTestbed) {
  return log.lines.filter(({ message }) => message === 'fallback receiver not configured').map(({ fields }) => fields);
}

/** The receiver `one` rejects the trigger of `a`, whose fallback is `fallback`. */
async function withRejectedTrigger(fallback?: string): Promise<DeliveryTestbed> {
  const delivering = await new DeliveryTestbed({ one: {}, two: {}, three: {} }).start();
  delivering.receiver().defaultResponse = broken;
  delivering.receiver('two').defaultResponse = fallback === undefined ? accepted : unreachable;
  await delivering.trigger(firing('a'), { to: [fallback === undefined ? {} : { fallback }] });
  return delivering;
}

it('a fallback that a reload adds gets an undelivered trigger at once, also after a restart', async () => {
  const delivering = await withRejectedTrigger();
  delivering.receiver('three').queuedResponses.push(unreachable);
  await reload(delivering, ['one', 'two', 'three'], [{ fallback: 'three' }]);
  expect(delivering.receiver('three').take()).toEqual(['trigger a 1']);
  await delivering.restart();
  expect(delivering.receiver('three').take()).toEqual(['trigger a 1']);
  await delivering.resolve(firing('a'));
  expect(delivering.receiver('three').story).toEqual(['resolve a 1']);
  expect(warnings(delivering)).toEqual([]);
});

it('a fallback that a reload replaces gets a trigger that the receiver rejects only later', async () => {
  const delivering = await new DeliveryTestbed({ one: {}, two: {}, three: {} }).start();
  delivering.receiver().defaultResponse = unreachable;
  await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
  await reload(delivering, ['one', 'three'], [{ fallback: 'three' }]);
  expect(delivering.receiver('three').story).toEqual([]);
  delivering.receiver().defaultResponse = broken;
  await delivering.clock.advance(60_000);
  expect([delivering.receiver('two').story, delivering.receiver('three').story]).toEqual([[], ['trigger a 1']]);
});

it('a fallback that a route no longer has gets no trigger', async () => {
  const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
  delivering.receiver().defaultResponse = unreachable;
  await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
  await reload(delivering, ['one', 'two'], [{}]);
  delivering.receiver().defaultResponse = broken;
  await delivering.clock.advance(60_000);
  expect([delivering.receiver('two').story, warnings(delivering)]).toEqual([[], []]);
});

it('a fallback stays that of a receiver to which no route leads any more', async () => {
  const delivering = await new DeliveryTestbed({ one: {}, two: {}, three: {} }).start();
  delivering.receiver().defaultResponse = unreachable;
  await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
  await reload(delivering, ['one', 'two', 'three'], [{ receiver: 'three' }]);
  delivering.receiver().defaultResponse = broken;
  await delivering.clock.advance(60_000);
  expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
});

it('a fallback gets a page within six minutes although the receiver asks to wait longer', async () => {
  const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
  delivering.receiver().defaultResponse = { ...limited, wait: 900_000 };
  await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
  await delivering.clock.advance(240_000);
  expect(delivering.receiver('two').story).toEqual([]);
  await delivering.clock.advance(120_000);
  expect([delivering.receiver().story, delivering.receiver('two').story]).toEqual([['trigger a 1'], ['trigger a 1']]);
  await delivering.clock.advance(600_000);
  expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
});

it('a fallback gets a page although the clock was set back since the receiver began to fail', async () => {
  const delivering = await new DeliveryTestbed({ one: {}, two: {} }).start();
  delivering.receiver().defaultResponse = unreachable;
  await delivering.trigger(firing('a'), { to: [{ fallback: 'two' }] });
  delivering.clock.step(-86_400_000);
  await delivering.clock.advance(600_000);
  expect(delivering.receiver('two').story).toEqual(['trigger a 1']);
  expect(delivering.view()).toMatchObject({ failing: true });
});

it('a missing fallback without another one is logged once after each reload', async () => {
  const delivering = await withRejectedTrigger('two');
  const missing = { receiver: 'one', fallback: 'two', advice: expect.any(String) };
  await reload(delivering, ['one', 'three'], [{}]);
  await delivering.clock.advance(600_000);
  expect(warnings(delivering)).toEqual([missing]);
  await reload(delivering, ['one', 'three'], [{}]);
  expect(warnings(delivering)).toEqual([missing, missing]);
});
