import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertionsSection } from '../../../src/collect/probes/assertion-settings.ts';
import { evaluateAssertions } from '../../../src/collect/probes/assertions.ts';

const results = [{ total: 12, name: 'a secret', accounts: [1, 2, 3], newest: 1_790_000_000, by: { x: 1 } }];
const endedAt = 1_790_000_042_000;

function evaluate(assert: unknown, given: unknown = results, duration = 100) {
  return evaluateAssertions(assertionsSection.parse(assert), { results: given, duration, endedAt });
}

function failureOf(assert: unknown, given: unknown = results, duration = 100): string | undefined {
  const { failure } = evaluate(assert, given, duration);
  return failure && `${failure.reason}: ${failure.message}`;
}

describe('assertions that are true', () => {
  it.each([
    [{}],
    [{ max_latency: '100ms' }],
    [{ count: { min: 1, max: 1 } }],
    [{ count: { path: '0.accounts', min: 3 } }],
    [{ count: { path: '0.by', max: 1 } }],
    [{ values: [{ path: '0.total', min: 12, max: 12 }, { path: '0.name' }] }],
    [{ values: [{ path: '0.total', equals: 12 }] }],
    [{ age: { path: '0.newest', max: '42s' } }],
  ])('return no failure: %j', (assert) => {
    expect(failureOf(assert)).toBeUndefined();
  });
});

describe('an assertion that is not true', () => {
  it.each([
    [{ max_latency: '99ms' }, 'latency: the answer took longer than max_latency (99 ms)'],
    [{ count: { min: 2 } }, 'count: the result has 1 entries, fewer than min (2)'],
    [{ count: { path: '0.accounts', max: 2 } }, 'count: `0.accounts` has 3 entries, more than max (2)'],
    [{ count: { path: '0.total', max: 2 } }, 'count: `0.total` is a number, not a list or an object, and has no count'],
    [{ values: [{ path: '0.nothing' }] }, 'value: `0.nothing` does not exist in the result'],
    [{ values: [{ path: '0.name', equals: 'b' }] }, 'value: `0.name` does not have the value that equals requires'],
    [{ values: [{ path: '0.name', min: 1 }] }, 'value: `0.name` is a text, not a number'],
    [{ values: [{ path: '0.total', min: 13 }] }, 'value: `0.total` is less than min (13)'],
    [{ values: [{ path: '0.total', max: 11 }] }, 'value: `0.total` is more than max (11)'],
    [{ age: { path: '0.newest', max: '41s' } }, 'age: `0.newest` is older than age.max (41000 ms)'],
    [{ age: { path: '0.name' } }, 'age: `0.name` is a text, not a time: Unix time, or YYYY-MM-DD hh:mm:ss in UTC'],
  ])('is reported as the failure, without values of the server: %j', (assert, expected) => {
    expect(failureOf(assert)).toBe(expected);
    expect(expected).not.toContain('secret');
  });

  it('is reported as the first failed one, the latency last', () => {
    expect(failureOf({ max_latency: '1ms', count: { min: 2 } })).toMatch(/^count/);
  });
});

it.each([
  [1_790_000_000, 42_000],
  [1_790_000_000_000, 42_000],
  ['2026-09-21 14:13:20', 42_000],
  ['2026-09-21T14:13:20Z', 42_000],
  ['2026-13-41 14:13:20', undefined],
  [null, undefined],
])('the age of the time %j is %s ms', (newest, age) => {
  expect(evaluate({ age: { path: '0.newest' } }, [{ newest }]).resultAge).toBe(age);
});

describe('assertions on any result', () => {
  it('never throw, and agree with the count of a list', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(5), (given, min) => {
        const { failure } = evaluate({ count: { min }, values: [{ path: '0.a', max: 3 }] }, given);
        const length = Array.isArray(given) ? given.length : undefined;
        if (length !== undefined) expect(failure?.reason === 'count').toBe(length < min);
      }),
    );
  });

  it('compare every number with the bounds', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.integer(), fc.nat(), (value, min, more) => {
        const { failure } = evaluate({ values: [{ path: 'v', min, max: min + more }] }, { v: value });
        expect(failure === undefined).toBe(value >= min && value <= min + more);
      }),
    );
  });
});
