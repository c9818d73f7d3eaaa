import { describe, expect, it } from 'vitest';
import type { Answer, NotifierTraits } from '../../../src/notify/notifier.ts';
import type { Departure } from '../../../src/notify/outbox/departure.ts';
import type { Trigger } from '../../../src/notify/outbox/lane.ts';
import { Queue } from '../../../src/notify/outbox/queue.ts';
import { accepted, broken, easy, firing, hour, limited, refused, unreachable } from '../delivering.ts';

const wall = 1_000_000_000;

function at(mono: number) {
  return { wall: wall + mono, mono };
}

function triggerOf(key: string, episode = 1): Trigger {
  const to = { receiver: 'one', group: {}, groupWait: 0, fallback: 'two' };
  return { alert: firing(key, episode), again: false, to, due: wall };
}

function queueOf(traits: Partial<NotifierTraits> = {}): Queue {
  return new Queue('one', { ...easy, ...traits });
}

function departure(queue: Queue, mono: number): Departure {
  const next = queue.next(at(mono));
  if (next.kind !== 'send') throw new Error(`it waits until ${next.until}`);
  return next;
}

/** Sends what is next, and gives what came of it. */
function carry(queue: Queue, answer: Answer, mono: number) {
  const next = departure(queue, mono);
  const marked = queue.depart(next, at(mono));
  return { next, marked, ...queue.settle(next, answer, at(mono), () => 1) };
}

function standing(changes: readonly unknown[]): boolean {
  return JSON.stringify(changes).includes('"key":""');
}

describe('what is to be stored', () => {
  it('is what is owed, what leaves, what came of it and the history', () => {
    const queue = queueOf();
    const owed = queue.trigger(triggerOf('a'), at(0));
    expect(owed).toMatchObject([{ table: 'lanes', put: { key: 'a', owed: expect.stringContaining('"heard":"no"') } }]);
    const { marked, changes } = carry(queue, accepted, 0);
    expect(marked).toMatchObject([{ put: { key: 'a', owed: expect.stringContaining('"heard":"maybe"') } }]);
    expect(changes).toMatchObject([
      { table: 'lanes', put: { key: 'a', owed: expect.stringContaining('"heard":"yes"') } },
      { table: 'notifications', put: { key: 'a', action: 'trigger', result: 'accepted' } },
    ]);
  });

  it('is nothing before what has been on its way before', () => {
    const queue = queueOf();
    queue.trigger(triggerOf('a'), at(0));
    carry(queue, unreachable, 0);
    expect(carry(queue, accepted, 5000).marked).toEqual([]);
  });

  it('is that the receiver went away, once, and that it is back', () => {
    const queue = queueOf();
    queue.trigger(triggerOf('a'), at(0));
    expect(standing(carry(queue, unreachable, 0).changes)).toBe(true);
    expect(standing(carry(queue, unreachable, 5000).changes)).toBe(false);
    expect(standing(carry(queue, accepted, 20_000).changes)).toBe(true);
  });

  it('is nothing where nothing is known of an episode', () => {
    const queue = queueOf();
    expect(queue.resolve({ ...firing('a'), status: 'resolved' }, wall, at(0))).toEqual([]);
  });
});

describe('what wakes people', () => {
  const informing = { ...triggerOf('a'), alert: firing('a', 1, 'info') };

  it('is not told what only informs, neither by its routes nor for another receiver', () => {
    const queue = queueOf({ wakesPeople: true });
    expect(queue.trigger(informing, at(0))).toEqual([]);
    expect(queue.standIn(informing, at(0))).toEqual([]);
    expect(queue.resolve({ ...firing('a'), status: 'resolved' }, wall, at(0))).toEqual([]);
    expect(queue.trigger(triggerOf('b'), at(0))).toHaveLength(1);
  });

  it('is told apart from what does not', () => {
    expect(queueOf().trigger(informing, at(0))).toHaveLength(1);
  });
});

describe('what was missed', () => {
  it('is not told while any of it may not be stored', () => {
    const queue = queueOf();
    queue.trigger(triggerOf('a'), at(0));
    queue.resolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(0));
    queue.hold('b');
    expect(queue.next(at(0))).toMatchObject({ kind: 'wait' });
    queue.free('b');
    expect(queue.next(at(0))).toMatchObject({ kind: 'send', choice: { letter: { kind: 'digest', count: 1 } } });
  });
});

describe('what is held back', () => {
  it('is not sent before it is freed as often, and holds up nothing else', () => {
    const queue = queueOf();
    queue.trigger(triggerOf('a'), at(0));
    queue.hold('a');
    queue.hold('a');
    queue.free('a');
    expect(queue.next(at(0))).toEqual({ kind: 'wait', until: undefined, soon: false });
    queue.trigger(triggerOf('b'), at(0));
    expect([...departure(queue, 0).choice.attempts.keys()]).toEqual(['b']);
    queue.free('a');
    expect([...departure(queue, 0).choice.attempts.keys()]).toEqual(['a', 'b']);
  });
});

describe('when it waits', () => {
  it('says whether it is only for the pace of the receiver', () => {
    const queue = queueOf({ batch: 1, spacing: 1000 });
    queue.trigger(triggerOf('a'), at(0));
    queue.trigger(triggerOf('b'), at(0));
    carry(queue, accepted, 0);
    expect(queue.next(at(0))).toEqual({ kind: 'wait', until: 1000, soon: true });
    carry(queue, limited, 1000);
    expect(queue.next(at(1000))).toEqual({ kind: 'wait', until: 31_000, soon: false });
    queue.retry(easy);
    expect(queue.next(at(1000)).kind).toBe('send');
  });
});

describe('a digest', () => {
  function away(): Queue {
    const queue = queueOf();
    queue.trigger(triggerOf('a'), at(0));
    carry(queue, limited, 0);
    queue.trigger(triggerOf('b'), at(10));
    queue.resolve({ ...firing('b'), status: 'resolved', endsAt: wall }, wall, at(20));
    return queue;
  }

  it('comes last after a short time, and first after a long one', () => {
    expect(departure(away(), 60_000).choice.letter.kind).toBe('alerts');
    expect(departure(away(), 900_001).choice.letter).toMatchObject({ kind: 'digest', count: 1, open: 1, since: wall });
  });

  it('is no letter that anybody waits for, and is done with when it was accepted', () => {
    const queue = away();
    const { endings } = carry(queue, accepted, 900_001);
    expect(endings).toEqual([{ key: '', episode: 0, action: 'digest', result: 'accepted' }]);
    expect(departure(queue, 900_002).choice.letter.kind).toBe('alerts');
    expect(queue.view(at(900_002))).toMatchObject({ depth: 1 });
  });

  it('is not sent where nothing was missed and nothing is open', () => {
    const queue = queueOf();
    queue.trigger(triggerOf('a'), at(0));
    carry(queue, accepted, 0);
    queue.resolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(0));
    carry(queue, limited, 0);
    expect(departure(queue, 900_001).choice.letter).toMatchObject({ alerts: [{ status: 'resolved' }] });
  });

  it('is given up where it is refused in all its forms', () => {
    const queue = away();
    carry(queue, accepted, 60_000);
    const endings = [60_000, 60_000, 60_000].map((mono) => carry(queue, refused, mono).endings);
    expect(endings.map((one) => one.map(({ result }) => result))).toEqual([
      ['refused'],
      ['refused'],
      ['refused', 'parked'],
    ]);
    expect(queue.view(at(60_000))).toMatchObject({ depth: 0 });
  });
});

describe('what others have to be told', () => {
  it('is what a broken receiver does not take', () => {
    const queue = queueOf();
    queue.trigger(triggerOf('a'), at(0));
    expect(queue.undelivered(at(0))).toEqual([]);
    carry(queue, broken, 0);
    expect(queue.isFailing(at(0))).toBe(true);
    expect(queue.undelivered(at(0))).toMatchObject([{ fallback: 'two', trigger: { alert: { key: 'a' } } }]);
  });
});

describe('a look at what is over', () => {
  it('is taken once a minute', () => {
    const queue = queueOf({ forgets: true });
    queue.trigger(triggerOf('a'), at(0));
    carry(queue, accepted, 0);
    queue.resolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(0));
    carry(queue, accepted, 0);
    expect(queue.sweep(at(890_000))).toEqual([]);
    expect(queue.sweep(at(900_000))).toEqual([]);
    expect(queue.sweep(at(950_000))).toEqual([{ table: 'lanes', drop: { receiver: 'one', key: 'a' } }]);
  });

  it('forgets an outage that nobody waits for the end of', () => {
    const queue = queueOf({ takesDigests: false });
    queue.trigger(triggerOf('a'), at(0));
    carry(queue, limited, 0);
    expect(queue.sweep(at(hour))).toEqual([]);
    queue.resolve({ ...firing('a'), status: 'resolved', endsAt: wall }, wall, at(hour));
    expect(queue.isFailing(at(hour))).toBe(true);
    expect(queue.sweep(at(2 * hour))).toEqual([{ table: 'lanes', drop: { receiver: 'one', key: '' } }]);
    expect(queue.isFailing(at(2 * hour))).toBe(false);
  });
});

describe('a receiver that is out for too long', () => {
  it('has all that waits for as long given up, and gets it when it is back', () => {
    const queue = queueOf({ takesDigests: false, batch: 1 });
    for (const key of ['a', 'b', 'c']) queue.trigger(triggerOf(key), at(0));
    const failing: Answer = { ...unreachable, answered: true };
    carry(queue, failing, 0);
    carry(queue, failing, 25 * hour);
    expect(queue.view(at(25 * hour))).toMatchObject({ parked: 3, depth: 0, failing: true });
    queue.trigger(triggerOf('d'), at(26 * hour));
    const { next } = carry(queue, accepted, 26 * hour);
    expect([...next.choice.attempts.keys()]).toEqual(['d']);
    expect(queue.view(at(26 * hour))).toMatchObject({ parked: 0, depth: 3, failing: false });
  });
});
