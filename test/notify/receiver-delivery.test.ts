import { expect, it } from 'vitest';
import { DeliveryCounters } from '../../src/notify/delivery-metrics.ts';
import { DeliveryWorker } from '../../src/notify/outbox/delivery-worker.ts';
import { NotificationQueue } from '../../src/notify/outbox/notification-queue.ts';
import { type HeldQueue, hold, releaseAll } from '../../src/notify/receiver-delivery.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { FakeReceiver, unlimited } from './delivery-testbed.ts';

it('changed queues of a receiver are held until they are released', () => {
  const clock = new FakeClock();
  const queue = new NotificationQueue('one', unlimited);
  const ports = { clock, store: memoryStore(), log: recordingLogger(), random: { next: () => 0 } };
  const worker = new DeliveryWorker(queue, new FakeReceiver(clock, unlimited), { settled: () => [] }, ports);
  const delivery = { queue, worker, metrics: new DeliveryCounters('one') };
  const change = { table: 'lanes', drop: { receiver: 'one', key: 'a' } };
  const held: HeldQueue[] = [];
  expect(
    hold(
      delivery,
      [
        { key: 'a', changes: [change] },
        { key: 'b', changes: [] },
      ],
      held,
    ),
  ).toEqual([change]);
  expect(held.map(([, key]) => key)).toEqual(['a']);
  expect(queue.queues.hasHeld).toBe(true);
  releaseAll(held);
  expect(queue.queues.hasHeld).toBe(false);
});
