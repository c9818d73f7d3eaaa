import { describe, expect, it } from 'vitest';
import { confirmedAt, createObservationRecorder, type ObservationHistory } from '../../src/guard/confirmation.ts';
import type { ConfirmSettings } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { at, listAt, observationOf } from './observations.ts';

const twice: ConfirmSettings = { observations: 2, apart: 5000 };

/** What one list says: when it arrived, how long it took, and what of the entry is not as it should be. */
interface Said {
  readonly duration?: Millis;
  readonly claim?: Millis;
  readonly url?: string;
  readonly startTime?: string;
}

/** Returns the history of an entry that runs since 0 after lists at these times. The first list is the first observation. */
function confirmationAfter(
  lists: readonly (readonly [time: Millis, said?: Said])[],
  confirmSettings: readonly ConfirmSettings[] = [twice],
): ObservationHistory {
  let confirmation: ObservationHistory | undefined;
  for (const [time, { duration = 0, claim = 0, ...changes } = {}] of lists) {
    const observation = observationOf({ elapsedTime: time + claim, ...changes });
    confirmation = createObservationRecorder(listAt(time, duration), confirmSettings)(confirmation, observation);
  }
  if (confirmation === undefined) throw new Error('no lists');
  return confirmation;
}

/** When the entry was confirmed, as a time of these lists. */
function confirmed(lists: Parameters<typeof confirmationAfter>[0], way: ConfirmSettings = twice): Millis | undefined {
  const found = confirmedAt(confirmationAfter(lists, [way]), 0);
  return found && found - at(0).mono;
}

describe('entry', () => {
  it.each<[string, Parameters<typeof confirmationAfter>[0], Millis | undefined]>([
    ['not after one observation', [[1000]], undefined],
    ['by two, when the second list arrives', [[1000], [6000]], 6000],
    ['by two with slightly less than the distance', [[1000], [5500]], 5500],
    ['not by two with less distance', [[1000], [5499]], undefined],
    ['by a third, with the distance from the first', [[1000], [3000], [5500]], 5500],
    ['by the distance of the starts of the requests', [[1000], [5900, { duration: 401 }]], undefined],
    ['by a slow list that was requested in time', [[1000], [7500, { duration: 2000 }]], 7500],
    ['permanently', [[1000], [6000], [11_000], [16_000]], 6000],
  ])('is confirmed %s', (_, lists, expected) => {
    expect(confirmed(lists)).toBe(expected);
  });

  it('is confirmed by as many observations as the policy requires', () => {
    const lists = [0, 2000, 4500, 9000, 13_500, 18_000].map((time) => [time] as const);
    expect(confirmed(lists, { observations: 3, apart: 5000 })).toBe(9000);
    expect(confirmed(lists, { observations: 5, apart: 5000 })).toBe(18_000);
    expect(confirmed(lists, { observations: 6, apart: 5000 })).toBeUndefined();
  });

  it('is confirmed for each requirement separately', () => {
    const confirmSettings = [twice, { observations: 2, apart: 10_000 }, { observations: 3, apart: 1000 }];
    const confirmation = confirmationAfter([[0], [5000], [9000]], confirmSettings);
    expect([0, 1, 2, 3].map((index) => confirmedAt(confirmation, index))).toEqual([
      at(5000).mono,
      at(9000).mono,
      at(9000).mono,
      undefined,
    ]);
  });
});

describe('entry that differs from the previous one', () => {
  it.each<[string, Said]>([
    ['another url', { url: '/query/fraud/ring_scan?depth=5' }],
    ['another start', { startTime: '2026-09-21 14:13:20.001' }],
    ['an age that does not grow', { claim: -5000 }],
    ['an age that decreased', { claim: -5900 }],
    ['an age that grew too fast', { claim: 5000 }],
  ])('starts a new history: %s', (_, said) => {
    expect(confirmed([[1000], [6000, said]])).toBeUndefined();
    expect(confirmed([[1000], [6000], [11_000, said]])).toBeUndefined();
    const still: Said = said.claim === undefined ? said : { claim: said.claim };
    expect(confirmed([[1000], [6000, still], [11_000, still]])).toBe(11_000);
  });

  it('is also compared with its first observation, so that small steps add up', () => {
    const hurried = [0, 1, 2, 3, 4].map((list) => [list * 5000, { claim: list * 900 }] as const);
    const slow: ConfirmSettings = { observations: 2, apart: 20_000 };
    expect(confirmed(hurried, slow)).toBeUndefined();
    expect(confirmationAfter(hurried).first.elapsed).toBeGreaterThan(0);
  });
});
