import { describe, expect, it } from 'vitest';
import { confirmedAt, type Witness, witnessing } from '../../src/guard/confirmation.ts';
import type { Confirm } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { at, listAt, sightingOf } from './listed.ts';

const twice: Confirm = { sightings: 2, apart: 5000 };

/** What one list says: when it arrived, how long it took, and what of the entry is not as it should be. */
interface Said {
  readonly duration?: Millis;
  readonly claim?: Millis;
  readonly url?: string;
  readonly startTime?: string;
}

/** After lists at these times of an entry that has run since 0; the first one is the first sighting. */
function witnessAfter(
  lists: readonly (readonly [time: Millis, said?: Said])[],
  ways: readonly Confirm[] = [twice],
): Witness {
  let witness: Witness | undefined;
  for (const [time, { duration = 0, claim = 0, ...changes } = {}] of lists) {
    const sighting = sightingOf({ elapsedTime: time + claim, ...changes });
    witness = witnessing(listAt(time, duration), ways)(witness, sighting);
  }
  if (witness === undefined) throw new Error('no lists');
  return witness;
}

/** When the entry was confirmed, as a time of these lists. */
function confirmed(lists: Parameters<typeof witnessAfter>[0], way: Confirm = twice): Millis | undefined {
  const found = confirmedAt(witnessAfter(lists, [way]), 0);
  return found && found - at(0).mono;
}

describe('an entry', () => {
  it.each<[string, Parameters<typeof witnessAfter>[0], Millis | undefined]>([
    ['not by one sighting', [[1000]], undefined],
    ['by two, as soon as the second list is there', [[1000], [6000]], 6000],
    ['by two that are a little less apart', [[1000], [5500]], 5500],
    ['not by two that are closer', [[1000], [5499]], undefined],
    ['by a third, which counts from the first', [[1000], [3000], [5500]], 5500],
    ['between the starts of requests, not their ends', [[1000], [5900, { duration: 401 }]], undefined],
    ['by a slow list that was asked for in time', [[1000], [7500, { duration: 2000 }]], 7500],
    ['once and for all', [[1000], [6000], [11_000], [16_000]], 6000],
  ])('is confirmed %s', (_, lists, expected) => {
    expect(confirmed(lists)).toBe(expected);
  });

  it('is confirmed by as many sightings as are asked for', () => {
    const lists = [0, 2000, 4500, 9000, 13_500, 18_000].map((time) => [time] as const);
    expect(confirmed(lists, { sightings: 3, apart: 5000 })).toBe(9000);
    expect(confirmed(lists, { sightings: 5, apart: 5000 })).toBe(18_000);
    expect(confirmed(lists, { sightings: 6, apart: 5000 })).toBeUndefined();
  });

  it('is confirmed in each way by itself', () => {
    const ways = [twice, { sightings: 2, apart: 10_000 }, { sightings: 3, apart: 1000 }];
    const witness = witnessAfter([[0], [5000], [9000]], ways);
    expect([0, 1, 2, 3].map((index) => confirmedAt(witness, index))).toEqual([
      at(5000).mono,
      at(9000).mono,
      at(9000).mono,
      undefined,
    ]);
  });
});

describe('what is not the very same entry', () => {
  it.each<[string, Said]>([
    ['another url', { url: '/query/fraud/ring_scan?depth=5' }],
    ['another start', { startTime: '2026-09-21 14:13:20.001' }],
    ['an age that stands still', { claim: -5000 }],
    ['an age that fell', { claim: -5900 }],
    ['an age that leapt', { claim: 5000 }],
  ])('begins anew: %s', (_, said) => {
    expect(confirmed([[1000], [6000, said]])).toBeUndefined();
    expect(confirmed([[1000], [6000], [11_000, said]])).toBeUndefined();
    const still: Said = said.claim === undefined ? said : { claim: said.claim };
    expect(confirmed([[1000], [6000, still], [11_000, still]])).toBe(11_000);
  });

  it('is found out by its first sighting too, when each step is a small one', () => {
    const hurried = [0, 1, 2, 3, 4].map((list) => [list * 5000, { claim: list * 900 }] as const);
    const slow: Confirm = { sightings: 2, apart: 20_000 };
    expect(confirmed(hurried, slow)).toBeUndefined();
    expect(witnessAfter(hurried).first.elapsed).toBeGreaterThan(0);
  });
});
