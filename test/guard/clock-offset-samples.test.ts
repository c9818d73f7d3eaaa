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

describe('clock offset samples', () => {
  it('drops a query that no list had for five minutes', () => {
    const state = follow(0, (now) => [traffic(now)]);
    expect(updateOffset(state, [traffic(299_000)], listAt(300_000)).samples.size).toBe(2);
    expect(updateOffset(state, [traffic(299_000)], listAt(300_001)).samples.size).toBe(1);
  });

  it('keeps a thousand queries at most, those listed last', () => {
    const crowd = Array.from({ length: 1500 }, (_, serial) => running(-serial - 1, 0));
    const state = updateOffset(initialOffset(), crowd, listAt(0));
    expect(state.samples.size).toBe(1000);
    expect(state.samples.has(crowd[1499]?.id ?? '')).toBe(true);
  });

  it('are replaced, with the stored offset, if all entries show that the local clock was set ahead; one deviating entry is skipped', () => {
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

  it('keeps the offset of an earlier run if one query confirms it, and confirms it only once', () => {
    const kept = initialOffset({ offset: 0, anchor: 0 });
    const waited = running(-hour, 0, { wait: 60_000 });
    const first = updateOffset(kept, [waited, running(-1, 0, { wait: 5000 })], listAt(0));
    expect(first).toMatchObject({ isUnconfirmed: false, anchor: 0 });
    expect(updateOffset(kept, [waited, running(-1, 0, { wait: 5001 })], listAt(0))).toMatchObject({
      anchor: undefined,
    });
    expect(updateOffset({ ...first, samples: new Map() }, [waited], listAt(5000))).toMatchObject({ anchor: 0 });
    expect(updateOffset(kept, [], listAt(0)).isUnconfirmed).toBe(true);
  });

  it('begins with the offset of an earlier run', () => {
    expect(initialOffset({ offset: 5, anchor: 3 })).toMatchObject({ offset: 5, anchor: 3 });
    expect(initialOffset({ offset: 5 })).toMatchObject({ offset: 5, anchor: undefined });
    expect(follow(10_000, (now) => [traffic(now)], initialOffset({ anchor: -70 }))).toMatchObject({
      offset: 0,
      anchor: 0,
    });
  });
});
