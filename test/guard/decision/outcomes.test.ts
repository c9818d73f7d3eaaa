import { describe, expect, it } from 'vitest';
import type { ReconciledResponse } from '../../../src/guard/decision/decision.ts';
import {
  isPaging,
  nextVerificationAt,
  outcomeDeadline,
  outcomeFor,
  reconcileResponse,
} from '../../../src/guard/decision/outcomes.ts';

const table = [
  ['named', 'confirmed', 'still_running', 'unknown'],
  ['empty', 'finished_first', 'not_aborted', 'unknown'],
  ['lost', 'vanished', 'still_running', 'unknown'],
  ['refused', 'refused', 'refused', 'refused'],
] as const;

function at(answer: ReconciledResponse | undefined, now: number, seen: { absences?: number; listedAt?: number } = {}) {
  return outcomeFor({ sentAt: 0, absences: 0, ...(answer === undefined ? {} : { answer }), ...seen }, now);
}

describe('outcomes', () => {
  it.each(table)(
    'after the answer %s are %s if the query is gone, %s if it is listed, %s without lists',
    (answer, gone, listed, unlisted) => {
      expect(at(answer, 2000, { absences: 2 })).toBe(gone);
      expect(at(answer, 30_000, { listedAt: 30_000 })).toBe(listed);
      expect(at(answer, 35_000, { listedAt: 20_000 })).toBe(unlisted);
      expect(at(answer, 35_000, { absences: 1, listedAt: 30_000 })).toBe(unlisted);
    },
  );

  it.each(table.slice(0, 3))(
    'are pending after the answer %s before the deadline or two lists without the query',
    (answer) => {
      expect(at(answer, 34_999)).toBeUndefined();
      expect(at(answer, 2000, { absences: 1 })).toBeUndefined();
      expect(at(answer, 20_000, { listedAt: 19_000 })).toBeUndefined();
    },
  );

  it('are pending until the abort response, at most until the deadline', () => {
    expect(at(undefined, 5000, { absences: 2 })).toBeUndefined();
    expect(at(undefined, 35_000, { absences: 2 })).toBe('vanished');
    expect(at(undefined, 35_000)).toBe('unknown');
  });

  it('are unknown if the request was not sent', () => {
    expect(outcomeFor({ absences: 2, answer: 'named' }, 99_999)).toBeUndefined();
    expect(outcomeDeadline({})).toBeUndefined();
    expect(nextVerificationAt({ absences: 0 }, 0)).toBeUndefined();
  });

  it('notify the on-call person if the query still runs', () => {
    const all = [...new Set(table.flatMap((row) => row.slice(1)))];
    expect(all.filter((one) => one === 'still_running')).toEqual(['still_running']);
    expect(isPaging('still_running')).toBe(true);
    expect(isPaging('confirmed')).toBe(false);
  });
});

describe('outcome of an abort response', () => {
  it.each([
    [['a'], 'named', false],
    [[], 'empty', false],
    [['b'], 'empty', true],
    [['a', 'b'], 'named', true],
  ] as const)('for the aborted ids %j is %s', (aborted, answer, isUnexpected) => {
    expect(reconcileResponse({ kind: 'accepted', aborted }, 'a')).toEqual({ answer, isUnexpected });
  });

  it.each(['lost', 'refused'] as const)('is %s without aborted ids', (kind) => {
    expect(reconcileResponse({ kind }, 'a')).toEqual({ answer: kind, isUnexpected: false });
  });

  it.each([
    [['a'], false],
    [['a', 'b'], true],
    [['b'], true],
  ])('is lost although it contains %j', (aborted, isUnexpected) => {
    expect(reconcileResponse({ kind: 'lost', aborted }, 'a')).toEqual({ answer: 'lost', isUnexpected });
  });
});

describe('verification lists', () => {
  it('are requested after 1, 2, 4, 8, 16 and 30 seconds', () => {
    const times: number[] = [];
    for (let last: number | undefined = -1; last !== undefined; ) {
      last = nextVerificationAt({ sentAt: 0, absences: 0 }, last);
      if (last !== undefined) times.push(last);
    }
    expect(times).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
  });

  it('are requested a little later if the query is first missing at the deadline', () => {
    expect(nextVerificationAt({ sentAt: 0, absences: 1 }, 30_000)).toBe(31_000);
    expect(nextVerificationAt({ sentAt: 0, absences: 0 }, 30_000)).toBeUndefined();
    expect(outcomeDeadline({ sentAt: 0 })).toBe(35_000);
  });
});
