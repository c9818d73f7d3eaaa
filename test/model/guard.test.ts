import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AbortOutcome } from '../../src/model/guard.ts';
import { abortOutcomes, queryEndedOutcomes } from '../../src/model/guard.ts';

describe('the outcomes of aborts', () => {
  it('are listed once, and completely', () => {
    expectTypeOf<(typeof abortOutcomes)[number]>().toEqualTypeOf<AbortOutcome>();
    expect(new Set(abortOutcomes).size).toBe(abortOutcomes.length);
  });

  it('state that a query ended only after two lists without it', () => {
    const others = abortOutcomes.filter((one) => !queryEndedOutcomes.includes(one));
    expect(others).toEqual(['still_running', 'unknown', 'not_aborted', 'refused', 'withdrawn', 'not_sent']);
  });
});
