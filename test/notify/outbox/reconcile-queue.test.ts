import { describe, expect, it } from 'vitest';
import type { AlertQueue } from '../../../src/notify/outbox/alert-queue.ts';
import { newQueuedIncident, type QueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import {
  incidentName,
  mergeQueues,
  reconcileQueue,
  withRecipient,
} from '../../../src/notify/outbox/reconcile-queue.ts';
import { firing } from '../delivery-testbed.ts';

const now = { wall: 5000, mono: 50 };
const to = { receiver: 'one', group: {}, groupWait: 0 };

function incident(episode: number, changes: Partial<QueuedIncident> = {}): QueuedIncident {
  return { ...newQueuedIncident(firing('a', episode), to, 100, now), deliveryState: 'yes', ...changes };
}

function queue(...incidents: readonly QueuedIncident[]): AlertQueue {
  return { key: 'a', incidents };
}

function ended(episode: number): QueuedIncident['alert'] {
  return { ...firing('a', episode), status: 'resolved', endsAt: 4000 };
}

/** Number, status and delivery state of each incident, and the number of missed ones. */
function reconciled(before: AlertQueue, open: number | undefined, isLevelTriggered = false) {
  const alerts = new Map(open === undefined ? [] : [['a', firing('a', open)]]);
  const step = reconcileQueue(before, alerts, isLevelTriggered, now);
  const incidents = step.queue.incidents.map(({ alert, deliveryState }) =>
    [alert.episode, alert.status, deliveryState].join(' '),
  );
  return [...incidents, ...step.missed.map(({ alert }) => `missed ${alert.episode}`)];
}

describe('reconciled queue', () => {
  it('ends an incident whose alert does not fire', () => {
    expect(reconciled(queue(incident(1)), undefined)).toEqual(['1 resolved yes']);
    expect(reconciled(queue(incident(1), incident(2)), 2)).toEqual(['1 resolved yes', '2 firing yes']);
  });

  it('reports an incident that the receiver never got as missed', () => {
    expect(reconciled(queue(incident(1, { deliveryState: 'no' })), undefined)).toEqual(['missed 1']);
  });

  it('is the same queue if it agrees with the alerts', () => {
    const same = queue(incident(1, { alert: ended(1) }), incident(2));
    expect(reconcileQueue(same, new Map([['a', firing('a', 2)]]), false, now).queue).toBe(same);
  });

  it('opens an incident again that ended although its alert fires', () => {
    const over = incident(1, { alert: ended(1), over: true, endDue: 4000 });
    expect(reconciled(queue(over), 1)).toEqual(['1 firing maybe']);
    const { queue: after } = reconcileQueue(queue(over), new Map([['a', firing('a', 1)]]), false, now);
    expect(after.incidents[0]).toMatchObject({ over: false, due: now.wall });
    expect(after.incidents[0]).not.toHaveProperty('endDue');
  });

  it('drops earlier incidents of a level-triggered receiver, whose end would resolve the newest one', () => {
    expect(reconciled(queue(incident(1), incident(2)), 2, true)).toEqual(['2 firing yes']);
    expect(reconciled(queue(incident(1)), undefined, true)).toEqual(['1 resolved yes']);
  });

  it.each<[string, Partial<QueuedIncident>, string]>([
    ['is open there', {}, '2 firing maybe'],
    ['may be open there', { deliveryState: 'maybe' }, '2 firing maybe'],
    ['waits for its end', { alert: ended(1) }, '2 firing maybe'],
    ['has ended there', { alert: ended(1), over: true }, '2 firing no'],
    ['was never sent', { deliveryState: 'no' }, '2 firing no'],
  ])('gives a level-triggered receiver the end of the alert if the dropped incident %s', (_, earlier, left) => {
    expect(reconciled(queue(incident(1, earlier), incident(2, { deliveryState: 'no' })), 2, true)).toEqual([left]);
  });
});

describe('merged queues', () => {
  it('have all incidents in their order, the first queue being the newer one', () => {
    const merged = mergeQueues(queue(incident(2, { alert: ended(2) }), incident(4)), queue(incident(1), incident(2)));
    expect(merged.incidents.map(({ alert }) => `${alert.episode} ${alert.status}`)).toEqual([
      '1 firing',
      '2 resolved',
      '4 firing',
    ]);
    const same = queue(incident(1));
    expect(mergeQueues(same, queue(incident(1)))).toBe(same);
  });

  it('name an incident by key and number', () => {
    expect(incidentName(firing('a', 3))).toBe('a 3');
  });
});

describe('queue of a receiver with another recipient', () => {
  const known = { recipient: 'first', reference: 'C1:1.2' };

  it('repeats the trigger of an open incident without its reference, as opened now', () => {
    const [repeated] = withRecipient(queue(incident(1, known)), 'second', now).incidents;
    expect(repeated).toMatchObject({ deliveryState: 'maybe', recipient: 'second', openedAt: 5000, due: 5000 });
    expect(repeated).not.toHaveProperty('reference');
  });

  it('repeats nothing if it is unknown who was notified', () => {
    const before = incident(1, { reference: 'C1:1.2' });
    const marked = { ...before, recipient: 'second' };
    expect(withRecipient(queue(before), 'second', now)).toEqual(queue(marked));
  });

  it.each<[string, Partial<QueuedIncident>, string]>([
    ['of the same recipient', known, 'first'],
    ['that the receiver was not notified of', { ...known, deliveryState: 'no' }, 'second'],
    ['that ended', { ...known, alert: ended(1) }, 'second'],
  ])('stays as it is for an incident %s', (_, changes, recipient) => {
    const before = queue(incident(1, changes));
    expect(withRecipient(before, recipient, now)).toBe(before);
  });
});
