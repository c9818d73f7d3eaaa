import { describe, expect, it } from 'vitest';
import { confirmedAt, createObservationRecorder, type ObservationHistory } from '../../src/guard/confirmation.ts';
import type { ConfirmSettings } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { at, listAt, observationOf } from './observations.ts';

const twice: ConfirmSettings = { observations: 2, apart: 5000 };

/** Duration of the request for a list, and deviations of its entry. */
interface ListChanges {
  readonly duration?: Millis;
  /** Difference between the listed age and the real one. */
  readonly ageError?: Millis;
  readonly url?: string;
  readonly startTime?: string;
}

/** Returns the history of a query that started at 0, after lists that arrived at these times. */
function confirmationAfter(
  lists: readonly (readonly [time: Millis, changes?: ListChanges])[],
  confirmSettings: readonly ConfirmSettings[] = [twice],
): ObservationHistory {
  let confirmation: ObservationHistory | undefined;
  for (const [time, { duration = 0, ageError = 0, ...changes } = {}] of lists) {
    const observation = observationOf({ elapsedTime: time + ageError, ...changes });
    confirmation = createObservationRecorder(listAt(time, duration), confirmSettings)(confirmation, observation);
  }
  if (confirmation === undefined) throw new Error('no lists');
  return confirmation;
}

/** Returns the arrival of the list that confirms the query; undefined if it is not confirmed. */
function confirmed(
  lists: Parameters<typeof confirmationAfter>[0],
  settings: ConfirmSettings = twice,
): Millis | undefined {
  const found = confirmedAt(confirmationAfter(lists, [settings]), 0);
  return found && found - at(0).mono;
}

describe('confirmation of a query', () => {
  it.each<[string, Parameters<typeof confirmationAfter>[0], Millis | undefined]>([
    ['after one observation: not confirmed', [[1000]], undefined],
    ['after two observations: confirmed when the second list arrives', [[1000], [6000]], 6000],
    ['after two observations slightly closer than `apart`: confirmed', [[1000], [5500]], 5500],
    ['after two observations closer than `apart`: not confirmed', [[1000], [5499]], undefined],
    ['after a third observation far enough from the first: confirmed', [[1000], [3000], [5500]], 5500],
    ['with requests that start closer than `apart`: not confirmed', [[1000], [5900, { duration: 401 }]], undefined],
    ['with a slow list that was requested in time: confirmed', [[1000], [7500, { duration: 2000 }]], 7500],
    ['after further observations: still confirmed', [[1000], [6000], [11_000], [16_000]], 6000],
  ])('%s', (_, lists, expected) => {
    expect(confirmed(lists)).toBe(expected);
  });

  it('requires as many observations as the policy', () => {
    const lists = [0, 2000, 4500, 9000, 13_500, 18_000].map((time) => [time] as const);
    expect(confirmed(lists, { observations: 3, apart: 5000 })).toBe(9000);
    expect(confirmed(lists, { observations: 5, apart: 5000 })).toBe(18_000);
    expect(confirmed(lists, { observations: 6, apart: 5000 })).toBeUndefined();
  });

  it('checks each requirement separately', () => {
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

describe('history of a query', () => {
  it.each<[string, ListChanges]>([
    ['another url', { url: '/query/fraud/ring_scan?depth=5' }],
    ['another start', { startTime: '2026-09-21 14:13:20.001' }],
    ['an age that does not grow', { ageError: -5000 }],
    ['an age that decreased', { ageError: -5900 }],
    ['an age that grew too fast', { ageError: 5000 }],
  ])('starts again after %s', (_, changes) => {
    expect(confirmed([[1000], [6000, changes]])).toBeUndefined();
    expect(confirmed([[1000], [6000], [11_000, changes]])).toBeUndefined();
    const lasting: ListChanges = changes.ageError === undefined ? changes : { ageError: changes.ageError };
    expect(confirmed([[1000], [6000, lasting], [11_000, lasting]])).toBe(11_000);
  });

  it('starts again after many small errors of the age', () => {
    const tooFast = [0, 1, 2, 3, 4].map((list) => [list * 5000, { ageError: list * 900 }] as const);
    const slow: ConfirmSettings = { observations: 2, apart: 20_000 };
    expect(confirmed(tooFast, slow)).toBeUndefined();
    expect(confirmationAfter(tooFast).first.elapsed).toBeGreaterThan(0);
  });
});
