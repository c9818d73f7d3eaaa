import type { Millis } from '../kernel/time.ts';
import { ageAt, type Candidate } from './candidate.ts';
import { always, intersectTimings, type Timing, uniteTimings } from './comparison.ts';
import { type Conditions, type GivenCondition, givenConditions, type Protection } from './conditions/all.ts';

/** Test of all conditions of a policy. */
export interface ConditionsTest {
  /** Whether all conditions hold that stay the same while a query runs. */
  readonly matchesStatic: (candidate: Candidate) => boolean;
  /** When the other conditions hold, relative to `mono`; undefined if they never do. */
  readonly timing: (candidate: Candidate, mono: Millis) => Timing | undefined;
}

/** Undefined if the server does not list the property. */
type Test = (candidate: Candidate) => boolean | undefined;
type TimedTest = NonNullable<ReturnType<NonNullable<GivenCondition['condition']['timing']>>>;

/**
 * Compiles conditions: all of `when` must hold, and a condition on a property that the entry lacks is false. At least one
 * condition of `unless` must certainly fail, so that a query with an unknown property is spared.
 */
export function compileConditions(when: Conditions, unless?: Conditions): ConditionsTest {
  const fixed = staticTests(when);
  const timed = timedTests(when, ({ value }) => value);
  const exception = unless === undefined ? undefined : compileException(unless);
  return {
    matchesStatic: (candidate) =>
      fixed.every((test) => test(candidate) === true) && exception?.alwaysHolds(candidate) !== true,
    timing: (candidate, mono) => {
      const met = timingOfAll(timed, candidate, mono);
      if (met === undefined || exception === undefined) return met;
      const spared = exception.failure(candidate, mono);
      return spared && intersectTimings(met, spared);
    },
  };
}

/** Compiles `protect`: a query is protected if all conditions of one entry hold, or may hold. */
export function compileProtection(protect: readonly Protection[]): (candidate: Candidate) => boolean {
  const tests = protect.map(staticTests);
  return (candidate) => tests.some((all) => all.every((test) => test(candidate) !== false));
}

/** Result of one condition for a query. */
export interface ConditionResult {
  /** Key in the configuration. */
  readonly name: string;
  readonly wanted: string;
  /** Undefined if the server does not list the property. */
  readonly seen: string | undefined;
  /** Undefined if it is not known. */
  readonly holds: boolean | undefined;
}

/** Returns the result of each condition for a query at `mono`, with the same tests as {@link compileConditions}. */
export function conditionResults(
  conditions: Conditions,
  candidate: Candidate,
  mono: Millis,
): readonly ConditionResult[] {
  const age = ageAt(candidate, mono);
  return [...givenConditions(conditions)].map(({ condition, value }) => {
    const seen = condition.seen(candidate, age);
    return { name: condition.name, wanted: condition.wanted(value), seen, holds: resultOf({ condition, value }) };
  });
  function resultOf({ condition, value }: Pick<GivenCondition, 'condition' | 'value'>): boolean | undefined {
    const { grantedTimeout } = candidate;
    const holds = (bound: unknown) => condition.timing?.(bound)(age, grantedTimeout)?.holds === true;
    if (condition.test !== undefined) return condition.test(value)(candidate);
    return holds(value) ? true : holds(condition.negated?.(value)) ? false : undefined;
  }
}

interface Exception {
  /** Whether the conditions hold, or may hold, for as long as the query runs. */
  readonly alwaysHolds: (candidate: Candidate) => boolean;
  /** When at least one of them certainly fails; undefined if none ever does. */
  readonly failure: (candidate: Candidate, mono: Millis) => Timing | undefined;
}

function compileException(unless: Conditions): Exception {
  const fixed = staticTests(unless);
  const timed = timedTests(unless, ({ condition, value }) => condition.negated?.(value));
  const fails = (candidate: Candidate): boolean => fixed.some((test) => test(candidate) === false);
  return {
    alwaysHolds: (candidate) => timed.length === 0 && !fails(candidate),
    failure: (candidate, mono) => {
      if (fails(candidate)) return always;
      const age = ageAt(candidate, mono);
      return uniteTimings(timed.flatMap((test) => test(age, candidate.grantedTimeout) ?? []));
    },
  };
}

function timingOfAll(timed: readonly TimedTest[], candidate: Candidate, mono: Millis): Timing | undefined {
  if (timed.length === 0) return always;
  const lasted = ageAt(candidate, mono);
  let timing = always;
  for (const test of timed) {
    const one = test(lasted, candidate.grantedTimeout);
    if (one === undefined) return undefined;
    timing = intersectTimings(timing, one);
  }
  return timing;
}

function staticTests(when: Conditions): readonly Test[] {
  return [...givenConditions(when)].flatMap(({ condition, value }) => condition.test?.(value) ?? []);
}

function timedTests(conditions: Conditions, bound: (given: GivenCondition) => unknown): readonly TimedTest[] {
  return [...givenConditions(conditions)].flatMap((given) => given.condition.timing?.(bound(given)) ?? []);
}
