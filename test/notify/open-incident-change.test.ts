import { expect, it } from 'vitest';
import type { AlertNotification } from '../../src/model/alert.ts';
import { applyToOpenIncident } from '../../src/notify/open-incident-change.ts';
import { NotificationQueue } from '../../src/notify/outbox/notification-queue.ts';
import { firing, unlimited } from './delivery-testbed.ts';

const now = { wall: 1_000_000, mono: 1000 };
const alert = firing('a');
const relabeled = { ...alert, labels: { team: 'blue' } };
type Change = Exclude<AlertNotification, { readonly kind: 'trigger' }>;

function queueWith(key: string): NotificationQueue {
  const queue = new NotificationQueue('one', unlimited);
  const to = { receiver: 'one', group: {}, groupWait: 0 };
  queue.enqueueTrigger({ alert: firing(key), again: false, to, due: now.wall }, now);
  return queue;
}

const changes: readonly (readonly [change: Change, incidents: readonly object[]])[] = [
  [{ kind: 'suppress', alert, due: now.wall }, [{ suppressed: true }]],
  [{ kind: 'relabel', alert: relabeled, due: now.wall }, [{ alert: relabeled }]],
  [
    { kind: 'acknowledge', change: 'acknowledged', alert, due: now.wall },
    [{ acknowledgement: { change: 'acknowledged', due: now.wall } }],
  ],
  [{ kind: 'resolve', alert: { ...alert, status: 'resolved', endsAt: now.wall }, due: now.wall }, []],
];

it.each(changes)(
  'notification about an open incident › changes the queue of its alert only: $kind',
  (change, incidents) => {
    const queue = queueWith('a');
    expect(applyToOpenIncident(queue, change, now)).not.toEqual([]);
    expect(queue.queues.get('a')?.incidents ?? []).toMatchObject(incidents);
    expect(applyToOpenIncident(queueWith('b'), change, now)).toEqual([]);
  },
);
