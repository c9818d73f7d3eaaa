import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryAge } from '../../src/guard/candidate.ts';
import { type ClockOffset, initialOffset, updateOffset } from '../../src/guard/clock-offset.ts';
import type { Observation } from '../../src/guard/process-list.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { at, idAt, listAt, observationOf } from './observations.ts';

const hour = 3_600_000;

/** What is wrong with the clocks and queues of a node. All in ms. */
interface Oddity {
  /** How far the server's clock is ahead of ours. */
  readonly ahead?: Millis;
  readonly wait?: Millis;
  /** Added to the elapsed time that the server measured. */
  readonly claim?: Millis;
}

/** A query that began to run at `begin`, as a list at `now` has it. */
function running(begin: Millis, now: Millis, { ahead = 0, wait = 0, claim = 0 }: Oddity = {}): Observation {
  return observationOf({ requestid: idAt(begin - wait + ahead, 10 * hour + begin), elapsedTime: now - begin + claim });
}

function isLeftOut(observation: Observation, now: Millis, { offset }: ClockOffset): boolean {
  return queryAge(observation, at(now), offset) === undefined;
}

/** Returns the offset after lists every 5 s from 0 to `end`. `listed` returns the queries of each list. */
function follow(end: Millis, listed: (now: Millis) => readonly Observation[], from = initialOffset()): ClockOffset {
  let state = from;
  for (let now = 0; now <= end; now += 5000) state = updateOffset(state, listed(now), listAt(now));
  return state;
}

/** A short query in each list, so that its arrival is seen. */
function traffic(now: Millis, oddity?: Oddity): Observation {
  return running(now - 1000, now, oddity);
}

describe('clock offset', () => {
  it('is unknown before the first entry', () => {
    expect(follow(20_000, () => []).offset).toBeUndefined();
  });

  it.each([0, 6 * hour, -6 * hour, 37, -4711])(
    'is the difference that entries show for a server %i ms ahead',
    (ahead) => {
      expect(follow(30_000, (now) => [traffic(now, { ahead })]).offset).toBe(0 - ahead);
    },
  );

  it('follows from a single query, which may be older than the first list', () => {
    expect(follow(30_000, (now) => [running(-hour, now, { ahead: hour })]).offset).toBe(-hour);
  });

  it('includes the duration of the request: the list may be created on arrival', () => {
    const first = updateOffset(initialOffset(), [running(0, 9900)], listAt(10_000, 200));
    expect(first.offset).toBe(100);
  });

  it('is a low percentile, since queries wait in the queue', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((seconds) => seconds * 60_000);
    const listed = (count: number) => (now: Millis) =>
      waits.slice(0, count).map((wait, serial) => running(-hour - serial, now, { wait }));
    expect(follow(0, listed(10), initialOffset({ offset: 0, anchor: 0 })).offset).toBe(0);
    expect(follow(0, (now) => [...listed(10)(now), running(-1, now), running(-2, now)]).offset).toBe(0);
    expect(follow(60_000, (now) => [traffic(now), ...listed(10)(now)]).offset).toBe(0);
  });

  it('counts each query once, for any number of lists', () => {
    const hung = (now: Millis) => [1, 2, 3].map((serial) => running(-hour - serial, now, { wait: 300_000 }));
    expect(follow(200_000, (now) => [...hung(now), traffic(now)]).offset).toBe(0);
  });

  it('follows a clock that drifts', () => {
    const state = follow(2 * hour, (now) => [traffic(now, { ahead: Math.round(now / 200) })]);
    expect(state.offset).toBeLessThanOrEqual(-(2 * hour) / 200 + 1500);
    const back = follow(2 * hour, (now) => [traffic(now, { ahead: -Math.round(now / 200) })]);
    expect(back.offset).toBeGreaterThanOrEqual((2 * hour) / 200 - 2000);
  });
});

describe('clock offset after a clock step', () => {
  const settled = follow(60_000, (now) => [traffic(now)]);

  function listsAfter(state: ClockOffset, count: number, oddity: Oddity): ClockOffset {
    let next = state;
    for (let list = 1; list <= count; list += 1) {
      const now = 60_000 + list * 5000;
      next = updateOffset(next, [traffic(now, oddity)], listAt(now));
    }
    return next;
  }

  it('follows a decrease at once', () => {
    const few = { ...settled, samples: new Map([...settled.samples].slice(0, 3)) };
    expect(listsAfter(few, 1, { ahead: hour }).offset).toBe(-hour);
  });

  it('follows once a tenth of the queries shows the step', () => {
    expect(settled.samples.size).toBe(13);
    expect(listsAfter(settled, 1, { ahead: hour }).offset).toBe(0);
    expect(listsAfter(settled, 2, { ahead: hour }).offset).toBe(-hour);
  });

  it('follows an increase after several lists', () => {
    const alone = { ...settled, samples: new Map() };
    expect(listsAfter(alone, 4, { ahead: -hour }).offset).toBe(0);
    expect(listsAfter(alone, 5, { ahead: -hour }).offset).toBe(hour);
  });

  it('does not increase with lists that are not consecutive', () => {
    const alone = { ...settled, samples: new Map() };
    const risen = listsAfter(alone, 4, { ahead: -hour });
    const calmed = updateOffset({ ...risen, samples: new Map() }, [traffic(90_000)], listAt(90_000));
    expect(calmed).toMatchObject({ offset: 0, rising: [] });
  });

  it('does not increase at once if no query has arrived since the first list', () => {
    const waiting = (now: Millis) => [running(-hour, now, { wait: 10_000 })];
    const guessed: ClockOffset = { ...initialOffset(), offset: 0 };
    expect(follow(15_000, waiting, guessed).offset).toBe(0);
    expect(follow(20_000, waiting, guessed).offset).toBe(10_000);
  });

  it('increases to the lowest sample of these lists', () => {
    let state: ClockOffset = { ...settled, samples: new Map() };
    for (const [index, wait] of [9000, 7000, 8000, 12_000, 9000].entries()) {
      const now = 65_000 + index * 5000;
      state = updateOffset({ ...state, samples: new Map() }, [traffic(now, { wait })], listAt(now));
    }
    expect(state.offset).toBe(7000);
  });
});

describe('entry with an impossible age', () => {
  const odd = (now: Millis) => running(now < 0 ? now : -60_000, now, { claim: hour });

  it('is skipped if the offset is known, even if it is the only entry of its node', () => {
    const state = follow(hour / 4, (now) => [odd(now)], initialOffset({ offset: 0, anchor: 0 }));
    expect(state.offset).toBe(0);
    expect(isLeftOut(odd(hour / 4), hour / 4, state)).toBe(true);
  });

  it('is skipped among other entries before the offset is known', () => {
    const now = 0;
    const others = [running(-2000, now), running(-3000, now)];
    const state = updateOffset(initialOffset(), [odd(now), ...others], listAt(now));
    expect(state.offset).toBe(0);
    expect(isLeftOut(odd(now), now, state)).toBe(true);
    expect(others.some((other) => isLeftOut(other, now, state))).toBe(false);
  });

  it('is detected by the next query that arrives, if it was the only entry', () => {
    const guessed = follow(20_000, (now) => [odd(now)]);
    expect(guessed.offset).toBe(-hour);
    const state = updateOffset(guessed, [odd(25_000), traffic(25_000)], listAt(25_000));
    expect(state).toMatchObject({ offset: 0, anchor: 0 });
    expect(isLeftOut(odd(25_000), 25_000, state)).toBe(true);
    expect(isLeftOut(traffic(25_000), 25_000, state)).toBe(false);
    expect(updateOffset(state, [odd(30_000)], listAt(30_000)).offset).toBe(0);
  });

  it.each([
    [10_000, true],
    [10_001, false],
  ] as const)(
    'does not set the offset if it claims %i ms and is missing in the list of 5 s before',
    (elapsed, isReceived) => {
      const empty = updateOffset(initialOffset(), [], listAt(0));
      const one = running(5000 - elapsed, 5000);
      const state = updateOffset(empty, [one], listAt(5000));
      expect(state.offset).toBe(isReceived ? 0 : undefined);
      expect(isLeftOut(one, 5000, state)).toBe(!isReceived);
      // After a long gap, or before the first list, the entry may have run unseen.
      expect(updateOffset(empty, [one], listAt(30_001)).offset).toBe(25_001);
      expect(updateOffset(initialOffset(), [one], listAt(5000)).offset).toBe(0);
    },
  );

  it('is detected by the next query that arrives, if it came to a node without queries', () => {
    const come = (now: Millis) => (now < 10_000 ? [] : [running(8000, now, { claim: hour })]);
    const alone = follow(60_000, come);
    expect(alone.offset).toBeUndefined();
    const state = updateOffset(alone, [...come(65_000), traffic(65_000)], listAt(65_000));
    expect(state).toMatchObject({ offset: 0, anchor: 0 });
  });

  it('is not trusted although its arrival was observed', () => {
    let state = follow(60_000, (now) => [traffic(now)]);
    const late = (now: Millis) => running(61_000, now, { claim: 6000 });
    for (let now = 65_000; now < 400_000; now += 5000) {
      state = updateOffset(state, [late(now)], listAt(now));
      expect(isLeftOut(late(now), now, state)).toBe(true);
    }
  });

  it('is skipped only if its age exceeds the age of other entries by more than five seconds', () => {
    const now = 0;
    const known = initialOffset({ offset: 0, anchor: 0 });
    for (const [claim, isOdd] of [
      [5000, false],
      [5001, true],
    ] as const) {
      const one = running(-60_000, now, { claim });
      expect(updateOffset(known, [one], listAt(now)).offset).toBe(isOdd ? 0 : -5000);
      const among = [one, running(-2000, now), running(-3000, now)];
      expect(updateOffset(initialOffset(), among, listAt(now)).offset).toBe(isOdd ? 0 : -5000);
    }
  });

  it('is trusted only if it began after the request of the previous list', () => {
    const known = { ...follow(60_000, (now) => [traffic(now)]), samples: new Map() };
    for (const [claim, isTrusted] of [
      [0, false],
      [-1, true],
    ] as const) {
      const one = running(60_000, 65_000, { claim });
      expect(updateOffset(known, [one], listAt(65_000)).samples.get(one.id)?.isTrusted).toBe(isTrusted);
    }
  });

  it('does not change the sample of its arrival', () => {
    const known = updateOffset(
      follow(60_000, () => []),
      [running(62_000, 65_000)],
      listAt(65_000),
    );
    const stepped = running(62_000, 70_000, { claim: hour });
    const state = updateOffset(known, [stepped], listAt(70_000));
    expect(state.samples.get(stepped.id)).toEqual({ value: 0, isTrusted: true, lastSeen: at(70_000).mono });
    expect(state).toMatchObject({ offset: 0, anchor: 0 });
    expect(isLeftOut(stepped, 70_000, state)).toBe(true);
  });

  it('is not trusted if the previous list is too old', () => {
    const state = { ...follow(60_000, (now) => [traffic(now)]), samples: new Map() };
    const late = (now: Millis) => running(now - 5000, now, { claim: 20_000 });
    expect(isLeftOut(late(90_000), 90_000, updateOffset(state, [late(90_000)], listAt(90_000)))).toBe(false);
    expect(isLeftOut(late(90_001), 90_001, updateOffset(state, [late(90_001)], listAt(90_001)))).toBe(true);
  });
});

it('clock offset: no query is older than the server reports, or younger than its id by more than its time in the queue', () => {
  const oddities = fc.record({ ahead: fc.integer({ min: -6 * hour, max: 6 * hour }), wait: fc.nat(600_000) });
  fc.assert(
    fc.property(fc.array(fc.nat(600_000), { minLength: 1, maxLength: 12 }), oddities, (begins, { ahead, wait }) => {
      const queries = begins.map((begin, serial) =>
        running(-begin - serial, 0, { ahead, wait: serial % 3 ? wait : 0 }),
      );
      const { offset } = updateOffset(initialOffset({ offset: -ahead, anchor: -ahead }), queries, listAt(0));
      for (const query of queries) {
        expect(queryAge(query, at(0), offset)).toBe(query.elapsed);
      }
    }),
  );
});
