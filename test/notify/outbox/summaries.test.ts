import { describe, expect, it } from 'vitest';
import { DeliveryTestbed, firing, refused } from '../delivery-testbed.ts';

/** Alerts of one rule in groups of their own. */
const keys = Array.from({ length: 50 }, (_, at) => `c${at + 1}`);

function groupOf(key: string, groupWait = 0) {
  return { to: [{ group: { cluster_name: key }, groupWait }] };
}

async function chat(traits: object = {}) {
  return new DeliveryTestbed({ one: { summarizes: true, minInterval: 1000, ...traits } }).start();
}

function sizes(delivering: DeliveryTestbed): readonly (readonly [alerts: number, isSummary: boolean])[] {
  return delivering
    .receiver()
    .sent.map(({ request }) =>
      request.kind === 'alerts' ? [request.alerts.length, request.isSummary === true] : [0, false],
    );
}

describe('notifications of many groups about one rule', () => {
  it('are one summary if they wait together, for any batch limit of the receiver', async () => {
    const delivering = await chat();
    for (const key of keys) {
      await delivering.trigger(firing(key), groupOf(key, 30_000));
      await delivering.clock.advance(200);
    }
    await delivering.clock.advance(60_000);
    expect(sizes(delivering)).toEqual([[50, true]]);
    for (const key of keys) await delivering.resolve(firing(key));
    await delivering.clock.advance(60_000);
    expect(sizes(delivering)).toEqual([
      [50, true],
      [50, true],
    ]);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('without a group wait are at most three messages and one summary', async () => {
    const delivering = await chat();
    for (const key of keys) {
      await delivering.trigger(firing(key), groupOf(key));
      await delivering.clock.advance(200);
    }
    await delivering.clock.advance(15_000);
    const sent = sizes(delivering);
    expect(sent.at(0)).toEqual([1, false]);
    expect(sent.filter(([, isSummary]) => isSummary)).toHaveLength(1);
    expect(sent.length).toBeLessThanOrEqual(4);
    expect(sent.reduce((sum, [count]) => sum + count, 0)).toBe(50);
  });

  it('are separate messages if they are few, the first three of them at once', async () => {
    const delivering = await chat({ minInterval: 0 });
    for (const key of keys.slice(0, 5)) await delivering.trigger(firing(key), groupOf(key));
    expect(sizes(delivering)).toEqual(keys.slice(0, 3).map(() => [1, false]));
    await delivering.clock.advance(14_999);
    expect(delivering.receiver().sent).toHaveLength(3);
    await delivering.clock.advance(1);
    expect(sizes(delivering)).toEqual(keys.slice(0, 5).map(() => [1, false]));
  });

  it('wait no longer than 15 seconds if the clock is set back', async () => {
    const delivering = await chat();
    for (const key of keys) await delivering.trigger(firing(key), groupOf(key, 1000));
    delivering.clock.step(-3_600_000);
    await delivering.clock.advance(16_000);
    expect(sizes(delivering)).toEqual([[50, true]]);
  });

  it('are separate for a receiver of which each notification is an incident', async () => {
    const delivering = await chat({ summarizes: false, minInterval: 0 });
    for (const key of keys) await delivering.trigger(firing(key), groupOf(key));
    expect(sizes(delivering)).toEqual(keys.map(() => [1, false]));
  });

  it('are not delayed by notifications about another rule', async () => {
    const delivering = await chat({ minInterval: 0 });
    for (const key of keys.slice(0, 10)) await delivering.trigger(firing(key), groupOf(key));
    delivering.receiver().take();
    await delivering.trigger({ ...firing('other'), rule: 'other' }, groupOf('other'));
    expect(delivering.receiver().story).toEqual(['trigger other 1']);
  });

  it('are split and then separate if the receiver refuses the summary', async () => {
    const delivering = await chat({ minInterval: 0 });
    delivering.receiver().queuedResponses.push(refused);
    for (const key of keys.slice(0, 8)) await delivering.trigger(firing(key), groupOf(key, 20_000));
    await delivering.clock.advance(60_000);
    expect(sizes(delivering)[0]).toEqual([8, true]);
    const accepted = delivering.receiver().sent.slice(1);
    expect(accepted.flatMap(({ request }) => (request.kind === 'alerts' ? request.alerts : []))).toHaveLength(8);
    expect(accepted.every(({ request }) => request.kind === 'alerts' && request.isSummary === undefined)).toBe(true);
  });

  it('do not include incidents that have their own message at the receiver', async () => {
    const delivering = await chat({ minInterval: 0, maxBatch: 1 });
    delivering.receiver().defaultResponse = { kind: 'accepted', reference: 'C1:1.2' };
    await delivering.trigger(firing('c1'), groupOf('c1'));
    for (const key of keys.slice(1, 11)) await delivering.trigger(firing(key), groupOf(key, 20_000));
    await delivering.clock.advance(60_000);
    for (const key of keys.slice(0, 11)) await delivering.resolve(firing(key));
    await delivering.clock.advance(60_000);
    const resolves = delivering
      .receiver()
      .sent.filter(({ request }) => request.kind === 'alerts' && request.alerts[0]?.status === 'resolved');
    expect(
      resolves.map(({ request }) => (request.kind === 'alerts' ? [request.alerts.length, request.reference] : [])),
    ).toEqual([
      [1, 'C1:1.2'],
      [10, undefined],
    ]);
  });
});
