import { describe, expect, it } from 'vitest';
import type { NotifierTraits, ReceiverResponse } from '../../../src/notify/notifier.ts';
import type { Trigger } from '../../../src/notify/outbox/alert-queue.ts';
import type { SendAction } from '../../../src/notify/outbox/delivery-attempt.ts';
import { NotificationQueue } from '../../../src/notify/outbox/notification-queue.ts';
import { storedNames } from '../../../src/notify/outbox/outbox-store.ts';
import { accepted, broken, firing, hour, limited, refused, unlimited, unreachable } from '../delivery-testbed.ts';

const wall = 1_000_000_000;

function at(mono: number) {
  return { wall: wall + mono, mono };
}

function triggerOf(key: string, episode = 1): Trigger {
  const to = { receiver: 'one', group: {}, groupWait: 0, fallback: 'two' };
  return { alert: firing(key, episode), again: false, to, due: wall };
}

function queueOf(traits: Partial<NotifierTraits> = {}): NotificationQueue {
  return new NotificationQueue('one', { ...unlimited, ...traits });
}

function departure(queue: NotificationQueue, mono: number): SendAction {
  const next = queue.next(at(mono));
  if (next.kind !== 'send') throw new Error(`it waits until ${next.until}`);
  return next;
}

/** Sends what is next, and gives what came of it. */
function carry(queue: NotificationQueue, answer: ReceiverResponse, mono: number) {
  const next = departure(queue, mono);
  const marked = queue.startAttempt(next, at(mono));
  return { next, marked, ...queue.finishAttempt(next, answer, at(mono), () => 1) };
}

function standing(changes: readonly unknown[]): boolean {
  return JSON.stringify(changes).includes('"key":""');
}

describe('stored changes', () => {
  it('are the pending trigger, the sent request, its result and the history row', () => {
    const queue = queueOf();
    const pending = queue.enqueueTrigger(triggerOf('a'), at(0));
    expect(pending).toMatchObject([
      { table: 'lanes', put: { key: 'a', [storedNames.content]: expect.stringContaining('"heard":"no"') } },
    ]);
    const { marked, changes } = carry(queue, accepted, 0);
    expect(marked).toMatchObject([
      { put: { key: 'a', [storedNames.content]: expect.stringContaining('"heard":"maybe"') } },
    ]);
    expect(changes).toMatchObject([
      { table: 'lanes', put: { key: 'a', [storedNames.content]: expect.stringContaining('"heard":"yes"') } },
      { table: 'notifications', put: { key: 'a', action: 'trigger', result: 'accepted' } },
    ]);
  });

  it('are empty before a retry', () => {
    const queue = queueOf();
    queue.enqueueTrigger(triggerOf('a'), at(0));
    carry(queue, unreachable, 0);
    expect(carry(queue, accepted, 5000).marked).toEqual([]);
  });

  it('include the start of an outage, once, and its end', () => {
    const queue = queueOf();
    queue.enqueueTrigger(triggerOf('a'), at(0));
    expect(standing(carry(queue, unreachable, 0).changes)).toBe(true);
    expect(standing(carry(queue, unreachable, 5000).changes)).toBe(false);
    expect(standing(carry(queue, accepted, 20_000).changes)).toBe(true);
  });

  it('are empty for the end of an unknown incident', () => {
    const queue = queueOf();
    expect(queue.enqueueResolve({ ...firing('a'), status: 'resolved' }, wall, at(0))).toEqual([]);
  });
});

describe('pager', () => {
  const informational = { ...triggerOf('a'), alert: firing('a', 1, 'info') };

  it('does not get an informational alert, neither from a route nor as a fallback', () => {
    const queue = queueOf({ isPager: true });
    expect(queue.enqueueTrigger(informational, at(0))).toEqual([]);
    expect(queue.enqueueFallback(informational, at(0))).toEqual([]);
    expect(queue.enqueueResolve({ ...firing('a'), status: 'resolved' }, wall, at(0))).toEqual([]);
    expect(queue.enqueueTrigger(triggerOf('b'), at(0))).toHaveLength(1);
  });

  it('differs from a receiver that is not a pager, which gets an informational alert', () => {
    expect(queueOf().enqueueTrigger(informational, at(0))).toHaveLength(1);
  });
});

describe('missed incident', () => {
  it('is not reported in a digest while a queue is held', () => {
    const queue = queueOf();
    queue.enqueueTrigger(triggerOf('a'), at(0));
    queue.enqueueResolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(0));
    queue.queues.hold('b');
    expect(queue.next(at(0))).toMatchObject({ kind: 'wait' });
    queue.queues.unhold('b');
    expect(queue.next(at(0))).toMatchObject({ kind: 'send', choice: { request: { kind: 'digest', count: 1 } } });
  });
});

describe('held queue', () => {
  it('is not sent before as many releases as holds, and does not delay other queues', () => {
    const queue = queueOf();
    queue.enqueueTrigger(triggerOf('a'), at(0));
    queue.queues.hold('a');
    queue.queues.hold('a');
    queue.queues.unhold('a');
    expect(queue.next(at(0))).toEqual({ kind: 'wait', until: undefined, soon: false });
    queue.enqueueTrigger(triggerOf('b'), at(0));
    expect([...departure(queue, 0).choice.attempts.keys()]).toEqual(['b']);
    queue.queues.unhold('a');
    expect([...departure(queue, 0).choice.attempts.keys()]).toEqual(['a', 'b']);
  });
});

describe('wait', () => {
  it('is marked as soon if only the rate limit of the receiver causes it', () => {
    const queue = queueOf({ maxBatch: 1, minInterval: 1000 });
    queue.enqueueTrigger(triggerOf('a'), at(0));
    queue.enqueueTrigger(triggerOf('b'), at(0));
    carry(queue, accepted, 0);
    expect(queue.next(at(0))).toEqual({ kind: 'wait', until: 1000, soon: true });
    carry(queue, limited, 1000);
    expect(queue.next(at(1000))).toEqual({ kind: 'wait', until: 31_000, soon: false });
    queue.useTraits(unlimited, at(1000));
    expect(queue.next(at(1000)).kind).toBe('send');
  });
});

function longestGap(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

describe('page', () => {
  const warning: Trigger = { ...triggerOf('w'), alert: firing('w', 1, 'warning') };
  /** Returns the times of attempts in a simulated outage, in ms after its start. */
  function attemptTimes(trigger: Trigger, outage: ReceiverResponse, length: number): readonly number[] {
    const queue = queueOf();
    queue.enqueueTrigger(trigger, at(0));
    const times: number[] = [];
    for (let mono = 0; mono < length; mono += 1000) {
      if (queue.next(at(mono)).kind !== 'send') continue;
      times.push(mono);
      carry(queue, outage, mono);
    }
    return times;
  }

  it.each([unreachable, broken, limited])(
    'is attempted at least every 30 s while the receiver responds $kind',
    (outage) => {
      expect(longestGap(attemptTimes(triggerOf('p'), outage, 2 * hour))).toBe(30_000);
      expect(longestGap(attemptTimes(warning, outage, 2 * hour))).toBeGreaterThanOrEqual(300_000);
    },
  );

  it('is attempted at the time of Retry-After, if the receiver sends it', () => {
    expect(longestGap(attemptTimes(triggerOf('p'), { ...limited, wait: 90_000 }, hour))).toBe(90_000);
  });

  it('does not wait for the pause after failures of other notifications, which stay paused', () => {
    const queue = queueOf({ maxBatch: 1 });
    queue.enqueueTrigger(warning, at(0));
    let mono = 0;
    for (let failures = 0; failures < 9; failures += 1) {
      while (queue.next(at(mono)).kind !== 'send') mono += 1000;
      carry(queue, unreachable, mono);
    }
    queue.enqueueTrigger(triggerOf('p'), at(mono + 1000));
    expect(queue.next(at(mono + 29_000))).toEqual({ kind: 'wait', until: mono + 30_000, soon: false });
    expect([...departure(queue, mono + 30_000).choice.attempts.keys()]).toEqual(['p']);
    carry(queue, unreachable, mono + 30_000);
    expect(queue.next(at(mono + 59_000))).toMatchObject({ kind: 'wait', until: mono + 60_000 });
  });
});

describe('notification that the receiver rejects', () => {
  const second = { ...triggerOf('b'), alert: firing('b', 1, 'warning') };

  it('waits while other notifications are sent and the receiver is not paused', () => {
    const queue = queueOf({ maxBatch: 1 });
    queue.enqueueTrigger({ ...triggerOf('a'), alert: firing('a', 1, 'warning') }, at(0));
    queue.enqueueTrigger(second, at(0));
    carry(queue, broken, 0);
    expect(queue.view(at(0))).toMatchObject({ failing: true, failingSince: wall, result: 'broken' });
    expect([...carry(queue, accepted, 0).next.choice.attempts.keys()]).toEqual(['b']);
    expect(queue.view(at(0))).toMatchObject({ failing: true, depth: 1 });
    expect(queue.next(at(1))).toEqual({ kind: 'wait', until: 300_000, soon: false });
    carry(queue, accepted, 300_000);
    expect(queue.view(at(300_000))).toMatchObject({ failing: false, depth: 0 });
  });
});

describe('digest', () => {
  function away(): NotificationQueue {
    const queue = queueOf();
    queue.enqueueTrigger(triggerOf('a'), at(0));
    carry(queue, limited, 0);
    queue.enqueueTrigger(triggerOf('b'), at(10));
    queue.enqueueResolve({ ...firing('b'), status: 'resolved', endsAt: wall }, wall, at(20));
    return queue;
  }

  it('follows the alerts after a short outage, and precedes them after a long one', () => {
    expect(departure(away(), 60_000).choice.request.kind).toBe('alerts');
    expect(departure(away(), 900_001).choice.request).toMatchObject({ kind: 'digest', count: 1, open: 1, since: wall });
  });

  it('has no due time in its outcome, and is finished when the receiver accepts it', () => {
    const queue = away();
    const { outcomes } = carry(queue, accepted, 900_001);
    expect(outcomes).toEqual([{ key: '', episode: 0, action: 'digest', result: 'accepted' }]);
    expect(departure(queue, 900_002).choice.request.kind).toBe('alerts');
    expect(queue.view(at(900_002))).toMatchObject({ depth: 1 });
  });

  it('is not sent without missed and open incidents', () => {
    const queue = queueOf();
    queue.enqueueTrigger(triggerOf('a'), at(0));
    carry(queue, accepted, 0);
    queue.enqueueResolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(0));
    carry(queue, limited, 0);
    expect(departure(queue, 900_001).choice.request).toMatchObject({ alerts: [{ status: 'resolved' }] });
  });

  it('is parked after a rejection at every level of detail', () => {
    const queue = away();
    carry(queue, accepted, 60_000);
    const endings = [60_000, 60_000, 60_000].map((mono) => carry(queue, refused, mono).outcomes);
    expect(endings.map((one) => one.map(({ result }) => result))).toEqual([
      ['refused'],
      ['refused'],
      ['refused', 'parked'],
    ]);
    expect(queue.view(at(60_000))).toMatchObject({ depth: 0 });
  });
});

describe('undelivered triggers', () => {
  it('are the rejected trigger, and all triggers after a second rejection in a row', () => {
    const queue = queueOf({ maxBatch: 1 });
    for (const key of ['a', 'b', 'c']) queue.enqueueTrigger(triggerOf(key), at(0));
    expect(queue.undelivered(at(0))).toEqual([]);
    carry(queue, broken, 0);
    expect(queue.isFailing(at(0))).toBe(false);
    expect(queue.undelivered(at(0))).toMatchObject([{ fallback: 'two', trigger: { alert: { key: 'a' } } }]);
    carry(queue, broken, 0);
    expect(queue.isFailing(at(0))).toBe(true);
    expect(queue.undelivered(at(0)).map(({ trigger }) => trigger.alert.key)).toEqual(['a', 'b', 'c']);
  });
});

describe('sweep', () => {
  it('drops expired incidents once a minute', () => {
    const queue = queueOf({ isLevelTriggered: true });
    queue.enqueueTrigger(triggerOf('a'), at(0));
    carry(queue, accepted, 0);
    queue.enqueueResolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(0));
    carry(queue, accepted, 0);
    expect(queue.sweep(at(890_000))).toEqual([]);
    expect(queue.sweep(at(900_000))).toEqual([]);
    expect(queue.sweep(at(950_000))).toEqual([{ table: 'lanes', drop: { receiver: 'one', key: 'a' }, cluster: '' }]);
  });

  it('ends the outage of a receiver without pending notifications', () => {
    const queue = queueOf({ acceptsDigests: false });
    queue.enqueueTrigger(triggerOf('a'), at(0));
    carry(queue, limited, 0);
    expect(queue.sweep(at(hour))).toEqual([]);
    queue.enqueueResolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(hour));
    expect(queue.isFailing(at(hour))).toBe(true);
    expect(queue.sweep(at(2 * hour))).toEqual([{ table: 'lanes', drop: { receiver: 'one', key: '' }, cluster: '' }]);
    expect(queue.isFailing(at(2 * hour))).toBe(false);
  });
});

describe('receiver with an outage of more than a day', () => {
  it('has its overdue notifications parked, and gets them when it recovers', () => {
    const queue = queueOf({ acceptsDigests: false, maxBatch: 1 });
    for (const key of ['a', 'b', 'c']) queue.enqueueTrigger(triggerOf(key), at(0));
    const failing: ReceiverResponse = { ...unreachable, answered: true };
    carry(queue, failing, 0);
    carry(queue, failing, 25 * hour);
    expect(queue.view(at(25 * hour))).toMatchObject({ parked: 3, depth: 0, failing: true });
    queue.enqueueTrigger(triggerOf('d'), at(26 * hour));
    const { next } = carry(queue, accepted, 26 * hour);
    expect([...next.choice.attempts.keys()]).toEqual(['d']);
    expect(queue.view(at(26 * hour))).toMatchObject({ parked: 0, depth: 3, failing: false });
  });
});
