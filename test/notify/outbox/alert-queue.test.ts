import { describe, expect, it } from 'vitest';
import type { AlertOutcome } from '../../../src/notify/outbox/alert-outcome.ts';
import {
  type AlertQueue,
  emptyAlertQueue,
  hasGivenUp,
  nextPending,
  type Trigger,
  withAttemptOutcome,
  withAttemptStarted,
  withFallbackTrigger,
  withOverdueParked,
  withoutExpired,
  withParkedRetried,
  withResolve,
  withTrigger,
} from '../../../src/notify/outbox/alert-queue.ts';
import { firing, hour } from '../delivery-testbed.ts';

const now = { wall: 1_000_000, mono: 1000 };
const taken: AlertOutcome = { kind: 'accepted' };
const lost: AlertOutcome = { kind: 'lost', answered: true, chance: 0, startedAt: 1000 };
const untaken: AlertOutcome = { kind: 'not_accepted' };
const refused: AlertOutcome = { kind: 'refused', batchSize: 1 };

type Step = `${'trigger' | 'again' | 'resolve'} ${number}` | 'taken' | 'lost' | 'untaken' | 'refused';

/** Returns the queue after the steps, and the number of missed incidents. */
function queueAfter(
  steps: readonly Step[],
  isLevelTriggered = false,
): { readonly queue: AlertQueue; readonly missed: number } {
  let queue = emptyAlertQueue('a');
  let missed = 0;
  for (const step of steps) {
    const [word, number] = step.split(' ');
    const made = change(queue, word ?? '', Number(number), isLevelTriggered);
    queue = made.queue;
    missed += made.missed.length;
  }
  return { queue, missed };
}

function change(queue: AlertQueue, word: string, number: number, isLevelTriggered: boolean) {
  const alert = firing('a', number);
  if (word === 'resolve') return withResolve(queue, { ...alert, status: 'resolved', endsAt: 2000 }, 900, now);
  if (word === 'trigger' || word === 'again') return withTrigger(queue, triggerOf(number, word === 'again'), now);
  const head = nextPending(queue);
  if (head === undefined) throw new Error('no notification is pending');
  const attempt = { action: head.action, episode: head.incident.alert.episode, before: head.incident.deliveryState };
  const outcome = { taken, lost, untaken, refused }[word] ?? taken;
  return withAttemptOutcome(withAttemptStarted(queue, attempt), attempt, { outcome, isLevelTriggered }, now);
}

function triggerOf(number: number, again = false): Trigger {
  return { alert: firing('a', number), again, to: { receiver: 'one', group: {}, groupWait: 0 }, due: 800 };
}

/** Returns the pending actions in order, if the receiver accepts each of them. */
function pendingIn(queue: AlertQueue): readonly string[] {
  const story: string[] = [];
  for (let rest = queue, head = nextPending(rest); head !== undefined; head = nextPending(rest)) {
    const { action, incident } = head;
    story.push(`${action} ${incident.alert.episode}`);
    const attempt = { action, episode: incident.alert.episode, before: incident.deliveryState };
    rest = withAttemptOutcome(rest, attempt, { outcome: taken, isLevelTriggered: false }, now).queue;
  }
  return story;
}

describe('alert queue', () => {
  it.each<[readonly Step[], readonly string[], number]>([
    [['trigger 1'], ['trigger 1'], 0],
    [['trigger 1', 'taken'], [], 0],
    [['trigger 1', 'taken', 'trigger 1'], [], 0],
    [['trigger 1', 'taken', 'again 1'], ['remind 1'], 0],
    [['trigger 1', 'taken', 'again 1', 'again 1'], ['remind 1'], 0],
    [['trigger 1', 'again 1'], ['trigger 1'], 0],
    [['again 1'], ['trigger 1'], 0],
    [['trigger 1', 'taken', 'resolve 1'], ['resolve 1'], 0],
    [['trigger 1', 'taken', 'again 1', 'resolve 1'], ['resolve 1'], 0],
    [['trigger 1', 'taken', 'resolve 1', 'taken'], [], 0],
    [['trigger 1', 'taken', 'resolve 1', 'lost'], ['resolve 1'], 0],
    [['trigger 1', 'resolve 1'], [], 1],
    [['trigger 1', 'untaken', 'resolve 1'], [], 1],
    [['trigger 1', 'lost', 'resolve 1'], ['trigger 1', 'resolve 1'], 0],
    [['trigger 1', 'lost', 'resolve 1', 'untaken'], ['trigger 1', 'resolve 1'], 0],
    [['trigger 1', 'lost', 'resolve 1', 'taken'], ['resolve 1'], 0],
    [['trigger 1', 'lost', 'untaken', 'resolve 1'], ['trigger 1', 'resolve 1'], 0],
    [['trigger 1', 'taken', 'resolve 1', 'trigger 2'], ['resolve 1', 'trigger 2'], 0],
    [['trigger 1', 'taken', 'resolve 1', 'trigger 2', 'resolve 2'], ['resolve 1'], 1],
    [['trigger 1', 'taken', 'resolve 1', 'trigger 2', 'resolve 2', 'trigger 3'], ['resolve 1', 'trigger 3'], 1],
    [['trigger 1', 'taken', 'trigger 2'], ['resolve 1', 'trigger 2'], 0],
    [['trigger 1', 'trigger 2'], ['trigger 2'], 1],
    [['trigger 1', 'lost', 'trigger 2'], ['trigger 1', 'resolve 1', 'trigger 2'], 0],
    [['trigger 1', 'refused', 'refused'], ['trigger 1'], 0],
    [['trigger 1', 'refused', 'refused', 'refused'], [], 0],
    [['trigger 1', 'refused', 'refused', 'refused', 'again 1'], ['trigger 1'], 0],
    [['trigger 1', 'refused', 'refused', 'refused', 'resolve 1'], [], 1],
    [['trigger 1', 'refused', 'refused', 'refused', 'trigger 2'], ['trigger 2'], 1],
    [['trigger 1', 'taken', 'resolve 1', 'refused', 'refused', 'refused', 'trigger 2'], ['trigger 2'], 0],
    [['trigger 1', 'resolve 2'], ['trigger 1'], 0],
    [['trigger 1', 'taken', 'resolve 1', 'resolve 1', 'trigger 1'], ['resolve 1'], 0],
  ])('after %j has the pending actions %j and %d missed incidents', (steps, pending, missed) => {
    const { queue, missed: count } = queueAfter(steps);
    expect(pendingIn(queue)).toEqual(pending);
    expect(count).toBe(missed);
  });

  it('keeps every ended incident that the receiver may have open when a new one begins', () => {
    const merged = [1, 2, 3].flatMap((number) => queueAfter([`trigger ${number}`, 'lost']).queue.incidents);
    const { queue } = withTrigger({ key: 'a', incidents: merged }, triggerOf(4), now);
    const ended = [1, 2, 3].flatMap((number) => [`trigger ${number}`, `resolve ${number}`]);
    expect(pendingIn(queue)).toEqual([...ended, 'trigger 4']);
  });

  it('returns the same queue for a change without effect, so that nothing is stored', () => {
    const { queue } = queueAfter(['trigger 1', 'taken', 'resolve 1']);
    expect(withTrigger(queue, triggerOf(1), now).queue).toBe(queue);
    expect(withResolve(queue, { ...firing('a', 9), status: 'resolved' }, 900, now).queue).toBe(queue);
  });

  it('does not change if a fallback trigger was already accepted', () => {
    const { queue } = queueAfter(['trigger 1', 'taken']);
    expect(withFallbackTrigger(queue, triggerOf(1), now).queue).toBe(queue);
    expect(pendingIn(withFallbackTrigger(emptyAlertQueue('a'), triggerOf(1), now).queue)).toEqual(['trigger 1']);
  });

  it('keeps at most three incidents if every trigger is lost', () => {
    const steps = Array.from({ length: 50 }, (_, at) => [`trigger ${at + 1}`, 'lost', `resolve ${at + 1}`] as const);
    const story: Step[] = [];
    for (const [begin, miss, end] of steps) story.push(begin, miss, end);
    expect(queueAfter(story).queue.incidents.length).toBeLessThan(4);
  });
});

describe('alert queue of a level-triggered receiver', () => {
  it('keeps a resolved incident for 15 minutes', () => {
    const { queue } = queueAfter(['trigger 1', 'taken', 'resolve 1', 'taken'], true);
    expect(queue.incidents).toMatchObject([{ over: true }]);
    expect(withoutExpired(queue, 2000 + 899_999)).toBe(queue);
    expect(withoutExpired(queue, 2000 + 900_000).incidents).toEqual([]);
  });

  it('drops a resolved incident when the next one begins', () => {
    const { queue } = queueAfter(['trigger 1', 'taken', 'resolve 1', 'taken', 'trigger 2'], true);
    expect(queue.incidents.map(({ alert }) => alert.episode)).toEqual([2]);
  });
});

describe('parked notification', () => {
  it('is kept for a day after the incident is resolved, and while it is open', () => {
    const ended = queueAfter(['trigger 1', 'taken', 'resolve 1', 'refused', 'refused', 'refused']).queue;
    expect(withoutExpired(ended, now.wall + 24 * hour - 1)).toBe(ended);
    expect(withoutExpired(ended, now.wall + 24 * hour).incidents).toEqual([]);
    const open = queueAfter(['trigger 1', 'refused', 'refused', 'refused']).queue;
    expect(withoutExpired(open, now.wall + 240 * hour)).toBe(open);
  });

  it('is retried after an outage of the receiver, but not after a rejection', () => {
    const pending = queueAfter(['trigger 1']).queue;
    expect(withOverdueParked(pending, 799, now)).toEqual(pending);
    const gone = withOverdueParked(pending, 800, now);
    expect(hasGivenUp(gone)).toBe(true);
    expect(nextPending(gone)).toBeUndefined();
    expect(pendingIn(withParkedRetried(gone, now))).toEqual(['trigger 1']);
    const refusal = queueAfter(['trigger 1', 'refused', 'refused', 'refused']).queue;
    expect(hasGivenUp(refusal)).toBe(false);
    expect(nextPending(withParkedRetried(refusal, now))).toBeUndefined();
  });

  it('loses its backoff when the receiver recovers', () => {
    const failed = queueAfter(['trigger 1', 'lost', 'lost']).queue;
    expect(failed.incidents[0]?.retry.failures).toBe(2);
    expect(withParkedRetried(failed, now).incidents[0]?.retry).toMatchObject({ failures: 0, from: now.mono });
  });
});
