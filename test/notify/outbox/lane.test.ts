import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/notify/outbox/episode.ts';
import {
  abandoned,
  answered,
  departed,
  emptyLane,
  expired,
  headOf,
  inherited,
  isAbandoned,
  type Lane,
  resolved,
  revived,
  type Trigger,
  triggered,
} from '../../../src/notify/outbox/lane.ts';
import { firing, hour } from '../delivering.ts';

const now = { wall: 1_000_000, mono: 1000 };
const taken: Verdict = { kind: 'accepted' };
const lost: Verdict = { kind: 'lost', answered: true, chance: 0 };
const untaken: Verdict = { kind: 'untaken' };
const refused: Verdict = { kind: 'refused', letter: 1 };

type Step = `${'trigger' | 'again' | 'resolve'} ${number}` | 'taken' | 'lost' | 'untaken' | 'refused';

/** A lane after a story, and how many episodes were folded in it. */
function laneAfter(steps: readonly Step[], forgets = false): { readonly lane: Lane; readonly folded: number } {
  let lane = emptyLane('a');
  let folded = 0;
  for (const step of steps) {
    const [word, number] = step.split(' ');
    const made = change(lane, word ?? '', Number(number), forgets);
    lane = made.lane;
    folded += made.folded.length;
  }
  return { lane, folded };
}

function change(lane: Lane, word: string, number: number, forgets: boolean) {
  const alert = firing('a', number);
  if (word === 'resolve') return resolved(lane, { ...alert, status: 'resolved', endsAt: 2000 }, 900, now);
  if (word === 'trigger' || word === 'again') return triggered(lane, triggerOf(number, word === 'again'), now);
  const head = headOf(lane);
  if (head === undefined) throw new Error('nothing is owed that could be answered');
  const attempt = { errand: head.errand, episode: head.episode.alert.episode, before: head.episode.heard };
  const verdict = { taken, lost, untaken, refused }[word] ?? taken;
  return answered(departed(lane, attempt), attempt, { verdict, forgets }, now);
}

function triggerOf(number: number, again = false): Trigger {
  return { alert: firing('a', number), again, to: { receiver: 'one', group: {}, groupWait: 0 }, due: 800 };
}

/** What is owed, one after the other, if all of it is taken. */
function owedIn(lane: Lane): readonly string[] {
  const story: string[] = [];
  for (let rest = lane, head = headOf(rest); head !== undefined; head = headOf(rest)) {
    const { errand, episode } = head;
    story.push(`${errand} ${episode.alert.episode}`);
    const attempt = { errand, episode: episode.alert.episode, before: episode.heard };
    rest = answered(rest, attempt, { verdict: taken, forgets: false }, now).lane;
  }
  return story;
}

describe('a lane', () => {
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
  ])('after %j owes %j and has folded %d', (steps, owed, folded) => {
    const { lane, folded: count } = laneAfter(steps);
    expect(owedIn(lane)).toEqual(owed);
    expect(count).toBe(folded);
  });

  it('takes a change that says nothing new as none, so that nothing is stored', () => {
    const { lane } = laneAfter(['trigger 1', 'taken', 'resolve 1']);
    expect(triggered(lane, triggerOf(1), now).lane).toBe(lane);
    expect(resolved(lane, { ...firing('a', 9), status: 'resolved' }, 900, now).lane).toBe(lane);
  });

  it('inherits what it knows already without another word', () => {
    const { lane } = laneAfter(['trigger 1', 'taken']);
    expect(inherited(lane, triggerOf(1), now).lane).toBe(lane);
    expect(owedIn(inherited(emptyLane('a'), triggerOf(1), now).lane)).toEqual(['trigger 1']);
  });

  it('never grows, whatever is lost in it', () => {
    const steps = Array.from({ length: 50 }, (_, at) => [`trigger ${at + 1}`, 'lost', `resolve ${at + 1}`] as const);
    const story: Step[] = [];
    for (const [begin, miss, end] of steps) story.push(begin, miss, end);
    expect(laneAfter(story).lane.episodes.length).toBeLessThan(4);
  });
});

describe('a lane of a receiver that forgets', () => {
  it('keeps the end for a quarter of an hour', () => {
    const { lane } = laneAfter(['trigger 1', 'taken', 'resolve 1', 'taken'], true);
    expect(lane.episodes).toMatchObject([{ over: true }]);
    expect(expired(lane, 2000 + 899_999)).toBe(lane);
    expect(expired(lane, 2000 + 900_000).episodes).toEqual([]);
  });

  it('keeps it no longer than until the next beginning', () => {
    const { lane } = laneAfter(['trigger 1', 'taken', 'resolve 1', 'taken', 'trigger 2'], true);
    expect(lane.episodes.map(({ alert }) => alert.episode)).toEqual([2]);
  });
});

describe('what was given up', () => {
  it('is kept for a day where it is over, and as long as it is open', () => {
    const ended = laneAfter(['trigger 1', 'taken', 'resolve 1', 'refused', 'refused', 'refused']).lane;
    expect(expired(ended, now.wall + 24 * hour - 1)).toBe(ended);
    expect(expired(ended, now.wall + 24 * hour).episodes).toEqual([]);
    const open = laneAfter(['trigger 1', 'refused', 'refused', 'refused']).lane;
    expect(expired(open, now.wall + 240 * hour)).toBe(open);
  });

  it('for the sake of the receiver is tried again when it is back, what was refused is not', () => {
    const owed = laneAfter(['trigger 1']).lane;
    expect(abandoned(owed, 799, now)).toEqual(owed);
    const gone = abandoned(owed, 800, now);
    expect(isAbandoned(gone)).toBe(true);
    expect(headOf(gone)).toBeUndefined();
    expect(owedIn(revived(gone, now))).toEqual(['trigger 1']);
    const refusal = laneAfter(['trigger 1', 'refused', 'refused', 'refused']).lane;
    expect(isAbandoned(refusal)).toBe(false);
    expect(headOf(revived(refusal, now))).toBeUndefined();
  });

  it('is not waited for any longer when the receiver is back', () => {
    const failed = laneAfter(['trigger 1', 'lost', 'lost']).lane;
    expect(failed.episodes[0]?.effort.failures).toBe(2);
    expect(revived(failed, now).episodes[0]?.effort).toMatchObject({ failures: 0, from: now.mono });
  });
});
