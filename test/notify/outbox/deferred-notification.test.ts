import { describe, expect, it } from 'vitest';
import type { ReceiverResponse } from '../../../src/notify/notifier.ts';
import { accepted, broken, DeliveryTestbed, type FakeReceiver, firing, hour } from '../delivery-testbed.ts';

const partial: ReceiverResponse = { ...accepted, but: 'grey@b (451 later)', deferred: ['grey@b'] };
const gone: ReceiverResponse = { ...accepted, but: 'gone@b (550 no)', rejectsRecipient: true };

/** Returns and clears the received requests, each with its recipients; `all` are all of them. */
function taken(receiver: FakeReceiver): readonly string[] {
  const recipients = receiver.sent.map(({ request }) =>
    request.kind === 'alerts' ? (request.recipients ?? ['all']).join(' ') : 'all',
  );
  return receiver.take().map((one, at) => `${one} to ${recipients[at]}`);
}

async function deferring(): Promise<{ readonly bed: DeliveryTestbed; readonly one: FakeReceiver }> {
  const bed = await new DeliveryTestbed({ one: {} }).start();
  const one = bed.receiver();
  one.defaultResponse = partial;
  await bed.trigger(firing('a'));
  expect(taken(one)).toEqual(['trigger a 1 to all']);
  return { bed, one };
}

describe('a recipient that the receiver rejects for now', () => {
  it('alone gets the notification again, with a growing interval, until it is accepted', async () => {
    const { bed, one } = await deferring();
    await bed.clock.advance(60_000);
    const tries = taken(one);
    expect(tries.length).toBeGreaterThan(3);
    expect(new Set(tries)).toEqual(new Set(['trigger a 1 to grey@b']));
    one.defaultResponse = accepted;
    await bed.clock.advance(30_000);
    expect(taken(one)).toEqual(['trigger a 1 to grey@b']);
    await bed.clock.advance(hour);
    expect(taken(one)).toEqual([]);
    expect(bed.view()).toMatchObject({ depth: 0, failing: false, result: 'accepted' });
  });

  it('gets it after a restart too', async () => {
    const { bed, one } = await deferring();
    one.defaultResponse = accepted;
    await bed.restart();
    expect(taken(one)).toEqual(['trigger a 1 to grey@b']);
  });

  it('gets the end, which does not wait for it', async () => {
    const { bed, one } = await deferring();
    await bed.resolve(firing('a'));
    expect(taken(one)).toEqual(['resolve a 1 to all']);
    one.defaultResponse = accepted;
    await bed.clock.advance(30_000);
    expect(taken(one)).toEqual(['resolve a 1 to grey@b']);
    expect(await bed.rows('lanes')).toEqual([]);
  });

  it.each<[string, (bed: DeliveryTestbed) => Promise<void>]>([
    ['again a 1', (bed) => bed.trigger(firing('a'), { again: true })],
    ['update a 1', (bed) => bed.update({ ...firing('a'), revision: 1 })],
    ['acknowledged a 1', (bed) => bed.acknowledge(firing('a'))],
  ])('gets %s with all others, and then alone', async (story, notify) => {
    const { bed, one } = await deferring();
    await notify(bed);
    expect(taken(one)).toEqual([`${story} to all`]);
    one.defaultResponse = accepted;
    await bed.clock.advance(30_000);
    expect(taken(one)).toEqual([`${story} to grey@b`]);
    await bed.clock.advance(hour);
    expect(taken(one)).toEqual([]);
  });

  it('is not tried again after it is rejected permanently, or after a day', async () => {
    const { bed, one } = await deferring();
    one.defaultResponse = gone;
    await bed.clock.advance(30_000);
    expect(taken(one)).toEqual(['trigger a 1 to grey@b']);
    await bed.clock.advance(hour);
    expect(taken(one)).toEqual([]);
    one.defaultResponse = partial;
    await bed.trigger(firing('b', 1, 'warning'));
    await bed.clock.advance(25 * hour);
    taken(one);
    await bed.clock.advance(hour);
    expect(taken(one)).toEqual([]);
    expect(bed.view()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('gets no alert that another recipient still needs', async () => {
    const { bed, one } = await deferring();
    one.defaultResponse = { ...partial, deferred: ['other@b'] };
    await bed.trigger(firing('b'));
    taken(one);
    one.defaultResponse = accepted;
    await bed.clock.advance(30_000);
    expect(taken(one).toSorted()).toEqual(['trigger a 1 to grey@b', 'trigger b 1 to other@b']);
  });

  it('is named in the state of the incident and in the delivery log', async () => {
    const { bed } = await deferring();
    const [delivery] = bed.deliverer.deliveries(firing('a'), bed.clock.now());
    const acceptedAt = bed.clock.now().wall;
    expect(delivery).toMatchObject({ state: 'pending', action: 'trigger', acceptedAt, reason: 'grey@b (451 later)' });
    expect(delivery?.nextAttemptAt).toBeGreaterThan(acceptedAt);
    expect(await bed.rows('notifications')).toMatchObject([
      { result: 'accepted', reason: 'grey@b (451 later)', next_attempt_at: expect.any(Number) },
    ]);
  });
});

describe('a recipient that the receiver rejects', () => {
  it('is named in the state of the incident, and the receiver fails until all recipients accept', async () => {
    const bed = await new DeliveryTestbed({ one: {} }).start();
    bed.receiver().defaultResponse = gone;
    await bed.trigger(firing('a'));
    const failingSince = bed.clock.now().wall;
    const failing = { failing: true, failingSince, result: 'partial', rejectedRecipient: 'gone@b (550 no)', depth: 0 };
    expect(bed.view()).toMatchObject(failing);
    const state = (): unknown => bed.deliverer.deliveries(firing('a'), bed.clock.now());
    expect(state()).toMatchObject([{ state: 'accepted', action: 'trigger', reason: 'gone@b (550 no)' }]);
    await bed.clock.advance(hour);
    await bed.resolve(firing('a'));
    expect(bed.view()).toMatchObject(failing);
    expect(state()).toMatchObject([{ state: 'accepted', action: 'resolve', reason: 'gone@b (550 no)' }]);
    const counted = [...bed.deliverer.samples(bed.clock.now())].filter(
      ({ labels, value }) => labels.result === 'partial' && value > 0,
    );
    expect(counted.map(({ labels }) => labels.action)).toEqual(['trigger', 'resolve']);
    bed.receiver().defaultResponse = accepted;
    await bed.trigger(firing('a', 2));
    expect(bed.view()).toMatchObject({ failing: false, result: 'accepted' });
  });

  it('still counts after a request to another recipient', async () => {
    const bed = await new DeliveryTestbed({ one: {} }).start();
    bed.receiver().queuedResponses.push({ ...partial, rejectsRecipient: true });
    await bed.trigger(firing('a'));
    await bed.clock.advance(30_000);
    expect(bed.view()).toMatchObject({ failing: true, rejectedRecipient: 'grey@b (451 later)', depth: 0 });
  });

  it('is unknown to the state of an incident after a retry that every recipient accepts', async () => {
    const bed = await new DeliveryTestbed({ one: {} }).start();
    await bed.trigger(firing('a'));
    bed.receiver().queuedResponses.push(broken);
    await bed.resolve(firing('a'));
    await bed.clock.advance(hour);
    expect(bed.deliverer.deliveries(firing('a'), bed.clock.now())).toMatchObject([{ state: 'accepted', reason: '' }]);
  });
});
