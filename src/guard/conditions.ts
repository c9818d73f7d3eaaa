import type { Millis } from '../kernel/time.ts';
import { ageAt, type Candidate, type Range } from './candidate.ts';
import { always, both, meets, type Timing, timingOf } from './comparison.ts';
import { paramsOf } from './params.ts';
import { patternTest } from './pattern.ts';
import type { Comparison, Conditions, Patterns, Protection } from './policy.ts';

/** Tells when a candidate meets conditions, which takes both. */
export interface ConditionsTest {
  /** Whether all is met that stays as it is for as long as a query runs. */
  readonly isMeant: (candidate: Candidate) => boolean;
  /** When the rest is met, seen from `mono`; undefined where it never will be. */
  readonly timing: (candidate: Candidate, mono: Millis) => Timing | undefined;
}

type Test = (candidate: Candidate) => boolean;
type ParamTest = readonly [name: string, test: (value: string) => boolean];
type TimeTest = (lasted: Range, granted: Millis | undefined) => Timing | undefined;

/** Compiles conditions. All of them have to be met, and none is by what the entry does not tell. */
export function conditionsTest(when: Conditions): ConditionsTest {
  const lasting = lastingTests(when);
  const passing = timeTests(when);
  return {
    isMeant: (candidate) => lasting.every((test) => test(candidate)),
    timing: (candidate, mono) => {
      if (passing.length === 0) return always;
      const lasted = ageAt(candidate, mono);
      let timing = always;
      for (const test of passing) {
        const one = test(lasted, candidate.sighting.grantedTimeout);
        if (one === undefined) return undefined;
        timing = both(timing, one);
      }
      return timing;
    },
  };
}

/** Compiles what is out of bounds: one match is enough. */
export function protectionTest(protect: readonly Protection[]): Test {
  const tests = protect.map(lastingTests);
  return (candidate) => tests.some((all) => all.every((test) => test(candidate)));
}

/** Of what stays as it is for as long as a query runs; cheap ones first. */
function lastingTests({ node, graph, query, method, params, grantedTimeout }: Conditions): readonly Test[] {
  return [
    ...textTest(node, (candidate) => candidate.node),
    ...textTest(graph, ({ sighting }) => sighting.graph),
    ...textTest(query, ({ sighting }) => sighting.query),
    ...textTest(method, ({ sighting }) => sighting.method),
    ...(grantedTimeout === undefined ? [] : [timeoutTest(grantedTimeout)]),
    ...(params === undefined ? [] : [paramsTest(params)]),
  ];
}

function textTest(patterns: Patterns | undefined, textOf: (from: Candidate) => string | undefined): readonly Test[] {
  if (patterns === undefined) return [];
  const test = patternTest(patterns);
  return [
    (candidate) => {
      const text = textOf(candidate);
      return text !== undefined && test(text);
    },
  ];
}

function timeoutTest(comparison: Comparison): Test {
  return ({ sighting: { grantedTimeout } }) => grantedTimeout !== undefined && meets(comparison, grantedTimeout);
}

/** A parameter that is given more than once has to match each time: only the server knows which one it took. */
function paramsTest(params: Readonly<Record<string, Patterns>>): Test {
  const tests: readonly ParamTest[] = Object.entries(params).map(([name, patterns]) => [name, patternTest(patterns)]);
  return ({ sighting }) => {
    const given = paramsOf(sighting.url);
    return given !== undefined && tests.every(([name, test]) => given.get(name)?.every(test) === true);
  };
}

/** Of what changes while time goes by. */
function timeTests({ age, remaining, ageShare }: Conditions): readonly TimeTest[] {
  const tests: TimeTest[] = [];
  if (age !== undefined) tests.push((lasted) => timingOf(age, lasted, 'grows'));
  if (remaining !== undefined) {
    tests.push((lasted, granted) => {
      if (granted === undefined) return undefined;
      return timingOf(remaining, { least: granted - lasted.most, most: granted - lasted.least }, 'dwindles');
    });
  }
  if (ageShare !== undefined) {
    const { operator, value } = ageShare;
    // Of a timeout of nothing there is no share.
    tests.push((lasted, granted) =>
      granted ? timingOf({ operator, value: value * granted }, lasted, 'grows') : undefined,
    );
  }
  return tests;
}
