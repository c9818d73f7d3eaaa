import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageOf } from '../../src/guard/age.ts';
import { type ClockOffset, initialOffset, learnt } from '../../src/guard/offset.ts';
import type { Sighting } from '../../src/guard/sighting.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { at, idAt, listAt, sightingOf } from './listed.ts';

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
function running(begin: Millis, now: Millis, { ahead = 0, wait = 0, claim = 0 }: Oddity = {}): Sighting {
  return sightingOf({ requestid: idAt(begin - wait + ahead, 10 * hour + begin), elapsedTime: now - begin + claim });
}

function isLeftOut(sighting: Sighting, now: Millis, { offset }: ClockOffset): boolean {
  return ageOf(sighting, at(now), offset) === undefined;
}

/** Lists every 5 s from 0 to `end`, of such queries as are told for each. */
function follow(end: Millis, listed: (now: Millis) => readonly Sighting[], from = initialOffset()): ClockOffset {
  let state = from;
  for (let now = 0; now <= end; now += 5000) state = learnt(state, listed(now), listAt(now));
  return state;
}

/** A short query in each list, so that its arrival is seen. */
function traffic(now: Millis, oddity?: Oddity): Sighting {
  return running(now - 1000, now, oddity);
}

describe('the offset of a clock', () => {
  it('is not known before the first entry', () => {
    expect(follow(20_000, () => []).offset).toBeUndefined();
  });

  it.each([0, 6 * hour, -6 * hour, 37, -4711])('is what entries tell of a server %i ms ahead', (ahead) => {
    expect(follow(30_000, (now) => [traffic(now, { ahead })]).offset).toBe(0 - ahead);
  });

  it('is that of a lone query as well, which may have been there before us', () => {
    expect(follow(30_000, (now) => [running(-hour, now, { ahead: hour })]).offset).toBe(-hour);
  });

  it('counts the time on the way as if the answer told of its arrival', () => {
    const first = learnt(initialOffset(), [running(0, 9900)], listAt(10_000, 200));
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

  it('counts each query once, however often it is listed', () => {
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

describe('a clock that is set', () => {
  const settled = follow(60_000, (now) => [traffic(now)]);

  function listsAfter(state: ClockOffset, count: number, oddity: Oddity): ClockOffset {
    let next = state;
    for (let list = 1; list <= count; list += 1) {
      const now = 60_000 + list * 5000;
      next = learnt(next, [traffic(now, oddity)], listAt(now));
    }
    return next;
  }

  it('is followed at once where the offset falls', () => {
    const few = { ...settled, told: new Map([...settled.told].slice(0, 3)) };
    expect(listsAfter(few, 1, { ahead: hour }).offset).toBe(-hour);
  });

  it('is followed as soon as a tenth of the queries says so', () => {
    expect(settled.told.size).toBe(13);
    expect(listsAfter(settled, 1, { ahead: hour }).offset).toBe(0);
    expect(listsAfter(settled, 2, { ahead: hour }).offset).toBe(-hour);
  });

  it('is followed after several lists where it rises', () => {
    const alone = { ...settled, told: new Map() };
    expect(listsAfter(alone, 4, { ahead: -hour }).offset).toBe(0);
    expect(listsAfter(alone, 5, { ahead: -hour }).offset).toBe(hour);
  });

  it('does not rise by lists that are not in a row', () => {
    const alone = { ...settled, told: new Map() };
    const risen = listsAfter(alone, 4, { ahead: -hour });
    const calmed = learnt({ ...risen, told: new Map() }, [traffic(90_000)], listAt(90_000));
    expect(calmed).toMatchObject({ offset: 0, rising: [] });
  });

  it('does not rise at once either where no arrival was seen yet', () => {
    const waiting = (now: Millis) => [running(-hour, now, { wait: 10_000 })];
    const guessed: ClockOffset = { ...initialOffset(), offset: 0 };
    expect(follow(15_000, waiting, guessed).offset).toBe(0);
    expect(follow(20_000, waiting, guessed).offset).toBe(10_000);
  });

  it('rises to the lowest of them', () => {
    let state: ClockOffset = { ...settled, told: new Map() };
    for (const [index, wait] of [9000, 7000, 8000, 12_000, 9000].entries()) {
      const now = 65_000 + index * 5000;
      state = learnt({ ...state, told: new Map() }, [traffic(now, { wait })], listAt(now));
    }
    expect(state.offset).toBe(7000);
  });
});

describe('an entry that claims to have run for longer than it can have', () => {
  const odd = (now: Millis) => running(now < 0 ? now : -60_000, now, { claim: hour });

  it('is left out by what is known already, alone on its node as well', () => {
    const state = follow(hour / 4, (now) => [odd(now)], initialOffset({ offset: 0, anchor: 0 }));
    expect(state.offset).toBe(0);
    expect(isLeftOut(odd(hour / 4), hour / 4, state)).toBe(true);
  });

  it('is left out among others, before anything is known', () => {
    const now = 0;
    const others = [running(-2000, now), running(-3000, now)];
    const state = learnt(initialOffset(), [odd(now), ...others], listAt(now));
    expect(state.offset).toBe(0);
    expect(isLeftOut(odd(now), now, state)).toBe(true);
    expect(others.some((other) => isLeftOut(other, now, state))).toBe(false);
  });

  it('is found out by the first query that is seen to arrive, where it was all there was', () => {
    const guessed = follow(20_000, (now) => [odd(now)]);
    expect(guessed.offset).toBe(-hour);
    const state = learnt(guessed, [odd(25_000), traffic(25_000)], listAt(25_000));
    expect(state).toMatchObject({ offset: 0, anchor: 0 });
    expect(isLeftOut(odd(25_000), 25_000, state)).toBe(true);
    expect(isLeftOut(traffic(25_000), 25_000, state)).toBe(false);
    expect(learnt(state, [odd(30_000)], listAt(30_000)).offset).toBe(0);
  });

  it.each([
    [10_000, true],
    [10_001, false],
  ] as const)('tells nothing where it says %i ms and the list before, 5 s ago, did not have it', (elapsed, isHeard) => {
    const empty = learnt(initialOffset(), [], listAt(0));
    const one = running(5000 - elapsed, 5000);
    const state = learnt(empty, [one], listAt(5000));
    expect(state.offset).toBe(isHeard ? 0 : undefined);
    expect(isLeftOut(one, 5000, state)).toBe(!isHeard);
    // Whoever was away for long, or has only just begun to look, may have missed it.
    expect(learnt(empty, [one], listAt(30_001)).offset).toBe(25_001);
    expect(learnt(initialOffset(), [one], listAt(5000)).offset).toBe(0);
  });

  it('is found out by the next that arrives, where it came to a node without any', () => {
    const come = (now: Millis) => (now < 10_000 ? [] : [running(8000, now, { claim: hour })]);
    const alone = follow(60_000, come);
    expect(alone.offset).toBeUndefined();
    const state = learnt(alone, [...come(65_000), traffic(65_000)], listAt(65_000));
    expect(state).toMatchObject({ offset: 0, anchor: 0 });
  });

  it('is not vouched for by arriving before our eyes', () => {
    let state = follow(60_000, (now) => [traffic(now)]);
    const late = (now: Millis) => running(61_000, now, { claim: 6000 });
    for (let now = 65_000; now < 400_000; now += 5000) {
      state = learnt(state, [late(now)], listAt(now));
      expect(isLeftOut(late(now), now, state)).toBe(true);
    }
  });

  it('is left out when it claims five seconds more than others tell, and not for less', () => {
    const now = 0;
    const known = initialOffset({ offset: 0, anchor: 0 });
    for (const [claim, isOdd] of [
      [5000, false],
      [5001, true],
    ] as const) {
      const one = running(-60_000, now, { claim });
      expect(learnt(known, [one], listAt(now)).offset).toBe(isOdd ? 0 : -5000);
      const among = [one, running(-2000, now), running(-3000, now)];
      expect(learnt(initialOffset(), among, listAt(now)).offset).toBe(isOdd ? 0 : -5000);
    }
  });

  it('is vouched for only where it began after the list before was asked for', () => {
    const known = { ...follow(60_000, (now) => [traffic(now)]), told: new Map() };
    for (const [claim, isVouched] of [
      [0, false],
      [-1, true],
    ] as const) {
      const one = running(60_000, 65_000, { claim });
      expect(learnt(known, [one], listAt(65_000)).told.get(one.id)?.isVouched).toBe(isVouched);
    }
  });

  it('does not take back what it told when we saw it arrive', () => {
    const known = learnt(
      follow(60_000, () => []),
      [running(62_000, 65_000)],
      listAt(65_000),
    );
    const leapt = running(62_000, 70_000, { claim: hour });
    const state = learnt(known, [leapt], listAt(70_000));
    expect(state.told.get(leapt.id)).toEqual({ value: 0, isVouched: true, lastSeen: at(70_000).mono });
    expect(state).toMatchObject({ offset: 0, anchor: 0 });
    expect(isLeftOut(leapt, 70_000, state)).toBe(true);
  });

  it('is not vouched for by a list that came long after the one before', () => {
    const state = { ...follow(60_000, (now) => [traffic(now)]), told: new Map() };
    const late = (now: Millis) => running(now - 5000, now, { claim: 20_000 });
    expect(isLeftOut(late(90_000), 90_000, learnt(state, [late(90_000)], listAt(90_000)))).toBe(false);
    expect(isLeftOut(late(90_001), 90_001, learnt(state, [late(90_001)], listAt(90_001)))).toBe(true);
  });
});

describe('what is remembered', () => {
  it('is let go when it was not seen for five minutes', () => {
    const state = follow(0, (now) => [traffic(now)]);
    expect(learnt(state, [traffic(299_000)], listAt(300_000)).told.size).toBe(2);
    expect(learnt(state, [traffic(299_000)], listAt(300_001)).told.size).toBe(1);
  });

  it('is that of a thousand queries at most, those listed last', () => {
    const crowd = Array.from({ length: 1500 }, (_, serial) => running(-serial - 1, 0));
    const state = learnt(initialOffset(), crowd, listAt(0));
    expect(state.told.size).toBe(1000);
    expect(state.told.has(crowd[1499]?.id ?? '')).toBe(true);
  });

  it('is given up where all say that our clock was set ahead meanwhile, and the odd one is left out then too', () => {
    const kept = initialOffset({ offset: 0, anchor: 0 });
    const listed = (now: Millis) => [
      running(-3000, now, { ahead: -60_000 }),
      running(-2000, now, { ahead: -60_000, claim: 40_000 }),
      running(-1000, now, { ahead: -60_000 }),
    ];
    for (const now of [0, 5000, 30_000]) {
      const state = follow(now, listed, kept);
      expect(state.offset).toBe(60_000);
      expect(listed(now).map((one) => isLeftOut(one, now, state))).toEqual([false, true, false]);
    }
  });

  it('holds where one query tells the same, and is asked no more later', () => {
    const kept = initialOffset({ offset: 0, anchor: 0 });
    const waited = running(-hour, 0, { wait: 60_000 });
    const first = learnt(kept, [waited, running(-1, 0, { wait: 5000 })], listAt(0));
    expect(first).toMatchObject({ isHearsay: false, anchor: 0 });
    expect(learnt(kept, [waited, running(-1, 0, { wait: 5001 })], listAt(0))).toMatchObject({ anchor: undefined });
    expect(learnt({ ...first, told: new Map() }, [waited], listAt(5000))).toMatchObject({ anchor: 0 });
    expect(learnt(kept, [], listAt(0)).isHearsay).toBe(true);
  });

  it('begins with what an earlier run found out', () => {
    expect(initialOffset({ offset: 5, anchor: 3 })).toMatchObject({ offset: 5, anchor: 3 });
    expect(initialOffset({ offset: 5 })).toMatchObject({ offset: 5, anchor: undefined });
    expect(follow(10_000, (now) => [traffic(now)], initialOffset({ anchor: -70 }))).toMatchObject({
      offset: 0,
      anchor: 0,
    });
  });
});

it('never makes a query older than the server says, nor younger than its id by more than waiting', () => {
  const oddities = fc.record({ ahead: fc.integer({ min: -6 * hour, max: 6 * hour }), wait: fc.nat(600_000) });
  fc.assert(
    fc.property(fc.array(fc.nat(600_000), { minLength: 1, maxLength: 12 }), oddities, (begins, { ahead, wait }) => {
      const queries = begins.map((begin, serial) =>
        running(-begin - serial, 0, { ahead, wait: serial % 3 ? wait : 0 }),
      );
      const { offset } = learnt(initialOffset({ offset: -ahead, anchor: -ahead }), queries, listAt(0));
      for (const query of queries) {
        expect(ageOf(query, at(0), offset)).toBe(query.elapsed);
      }
    }),
  );
});
