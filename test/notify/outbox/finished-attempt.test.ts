import { expect, it } from 'vitest';
import {
  type DeliveryAttempt,
  emptyAlertQueue,
  withAttemptStarted,
  withTrigger,
} from '../../../src/notify/outbox/alert-queue.ts';
import { finishedAttempt } from '../../../src/notify/outbox/finished-attempt.ts';
import { accepted, firing } from '../delivery-testbed.ts';

const now = { wall: 1000, mono: 1000 };
const attempt: DeliveryAttempt = { action: 'trigger', episode: 1, before: 'no', revision: 0 };
const context = { isLevelTriggered: false, retryAt: () => 5000 };
const settled = { outcome: { kind: 'accepted' }, response: accepted, now } as const;

it('an accepted trigger has an outcome with the time since which it was due, and an entry in the log', () => {
  const to = { receiver: 'one', group: {}, groupWait: 0 };
  const queue = withTrigger(emptyAlertQueue('a'), { alert: firing('a'), again: false, to, due: 500 }, now).queue;
  const finished = finishedAttempt(withAttemptStarted(queue, attempt), attempt, settled, context);
  expect(finished?.outcomes).toEqual([{ key: 'a', episode: 1, action: 'trigger', result: 'accepted', due: 500 }]);
  expect(finished?.step.queue.incidents[0]?.deliveryState).toBe('yes');
  expect(finished?.logged).toMatchObject({ action: 'trigger', response: accepted });
});

it('a response to an incident that left the queue has no outcome', () => {
  expect(finishedAttempt(emptyAlertQueue('a'), attempt, settled, context)).toBeUndefined();
});
