import type { Millis } from '../kernel/time.ts';
import { ageAt, type Candidate } from './candidate.ts';
import { always, intersectTimings, type Timing } from './comparison.ts';
import { type Conditions, givenConditions, type Protection } from './conditions/all.ts';

/** Test of all conditions of a policy. */
export interface ConditionsTest {
  /** Whether all conditions hold that stay the same while a query runs. */
  readonly matchesStatic: (candidate: Candidate) => boolean;
  /** When the other conditions hold, relative to `mono`; undefined if they never do. */
  readonly timing: (candidate: Candidate, mono: Millis) => Timing | undefined;
}

type Test = (candidate: Candidate) => boolean;

/** Compiles conditions. All of them must hold, and a condition on what the entry lacks does not. */
export function compileConditions(when: Conditions): ConditionsTest {
  const fixed = staticTests(when);
  const timed = [...givenConditions(when)].flatMap(({ condition, value }) => condition.timing?.(value) ?? []);
  return {
    matchesStatic: (candidate) => fixed.every((test) => test(candidate)),
    timing: (candidate, mono) => {
      if (timed.length === 0) return always;
      const lasted = ageAt(candidate, mono);
      let timing = always;
      for (const test of timed) {
        const one = test(lasted, candidate.observation.grantedTimeout);
        if (one === undefined) return undefined;
        timing = intersectTimings(timing, one);
      }
      return timing;
    },
  };
}

/** Compiles the protected queries: one match is enough. */
export function compileProtection(protect: readonly Protection[]): Test {
  const tests = protect.map(staticTests);
  return (candidate) => tests.some((all) => all.every((test) => test(candidate)));
}

function staticTests(when: Conditions): readonly Test[] {
  return [...givenConditions(when)].flatMap(({ condition, value }) => condition.test?.(value) ?? []);
}
