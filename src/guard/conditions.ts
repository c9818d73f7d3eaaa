import type { Millis } from '../kernel/time.ts';
import { ageAt, type Candidate, type Range } from './candidate.ts';
import { always, both, meets, type Timing, timingOf } from './comparison.ts';
import { paramsOf } from './params.ts';
import { patternTest } from './pattern.ts';
import type { Comparison, Conditions, Patterns, Protection } from './policy.ts';

/** Tells when a candidate meets conditions, seen from `mono`; undefined where it never will. */
export type ConditionsTest = (candidate: Candidate, mono: Millis) => Timing | undefined;

type Test = (candidate: Candidate) => boolean;
type ParamTest = readonly [name: string, test: (value: string) => boolean];

/** Compiles conditions. All of them have to be met, and none is by what the entry does not tell. */
export function conditionsTest(when: Conditions): ConditionsTest {
  const lasting = lastingTests(when);
  const { age, remaining, ageShare } = when;
  return (candidate, mono) => {
    if (!lasting.every((test) => test(candidate))) return undefined;
    const lasted = ageAt(candidate, mono);
    const granted = candidate.sighting.grantedTimeout;
    const timings = [
      timed(age, lasted, 'grows'),
      timed(remaining, granted === undefined ? undefined : restOf(granted, lasted), 'dwindles'),
      timed(ageShare && shareOf(ageShare, granted ?? 0), granted ? lasted : undefined, 'grows'),
    ];
    return timings.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : both(sum, one)), always);
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

function restOf(granted: Millis, { least, most }: Range): Range {
  return { least: granted - most, most: granted - least };
}

/** As a bound for the age itself. Of a timeout of nothing there is no share. */
function shareOf({ operator, value }: Comparison, granted: Millis): Comparison {
  return { operator, value: value * granted };
}

function timed(
  comparison: Comparison | undefined,
  range: Range | undefined,
  course: 'grows' | 'dwindles',
): Timing | undefined {
  if (comparison === undefined) return always;
  return range && timingOf(comparison, range, course);
}
