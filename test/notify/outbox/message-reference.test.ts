import { expect, it } from 'vitest';
import type { NotificationRequest } from '../../../src/notify/notifier.ts';
import { accepted, DeliveryTestbed, firing, unlimited, unreachable } from '../delivery-testbed.ts';

function referencesOf(requests: readonly { readonly request: NotificationRequest }[]): readonly (string | undefined)[] {
  return requests.map(({ request }) => (request.kind === 'alerts' ? request.reference : 'digest'));
}

it('the reference of the first accepted message is in later requests of the incident, also after a restart', async () => {
  const delivering = await new DeliveryTestbed({ one: { ...unlimited, maxBatch: 1 } }).start();
  delivering.receiver().queuedResponses.push(unreachable, { ...accepted, reference: 'C1:1.2' });
  await delivering.trigger(firing('a'));
  await delivering.clock.advance(60_000);
  expect(referencesOf(delivering.receiver().sent)).toEqual([undefined, undefined]);
  await delivering.restart();
  delivering.receiver().queuedResponses.push({ ...accepted, reference: 'C1:3.4' });
  delivering.receiver().sent.length = 0;
  await delivering.trigger(firing('a'), { again: true });
  await delivering.resolve(firing('a'));
  expect(referencesOf(delivering.receiver().sent)).toEqual(['C1:1.2', 'C1:1.2']);
});

it('the next incident of the same alert has no reference yet', async () => {
  const delivering = await new DeliveryTestbed({ one: { ...unlimited, maxBatch: 1 } }).start();
  delivering.receiver().queuedResponses.push({ ...accepted, reference: 'C1:1.2' });
  await delivering.trigger(firing('a', 1));
  await delivering.resolve(firing('a', 1));
  await delivering.trigger(firing('a', 2));
  expect(referencesOf(delivering.receiver().sent)).toEqual([undefined, 'C1:1.2', undefined]);
});

it('a request with several alerts has no reference', async () => {
  const delivering = await new DeliveryTestbed({ one: {} }).start();
  delivering.receiver().defaultResponse = { ...accepted, reference: 'C1:1.2' };
  const to = [{ receiver: 'one', group: {}, groupWait: 0 }];
  const trigger = { kind: 'trigger', isReminder: false, to, due: 0 } as const;
  await delivering.notify({ ...trigger, alert: firing('a') }, { ...trigger, alert: firing('b') });
  await delivering.resolve(firing('a'));
  expect(referencesOf(delivering.receiver().sent)).toEqual([undefined, undefined]);
});
