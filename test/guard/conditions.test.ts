import { describe, expect, it } from 'vitest';
import type { Conditions } from '../../src/guard/conditions/all.ts';
import { compileConditions, compileProtection, conditionResults } from '../../src/guard/conditions.ts';
import { bound, type CandidateOptions, candidate, globs } from './match-inputs.ts';
import { at } from './observations.ts';
import { randomMatchInput } from './random-match-inputs.ts';

const regex = (text: string) => [{ kind: 'regex', text }] as const;

/** Returns conditions as JSON, with the texts of their patterns, for the title of a test. */
function conditionsText(when: Conditions): string {
  return JSON.stringify(when, (_, value) => (value?.kind === undefined ? value : value.text));
}

/** Seen from the moment when the candidate was listed, or later. */
function timing(when: Conditions, run: CandidateOptions = {}, after = 0) {
  const test = compileConditions(when);
  return test.matchesStatic(candidate(run)) ? test.timing(candidate(run), at(after).mono) : undefined;
}

describe('text condition', () => {
  const cases: readonly (readonly [about: string, when: Conditions, run: CandidateOptions, expected: boolean])[] = [
    ['node', { node: globs('n*') }, {}, true],
    ['node', { node: globs('n2') }, {}, false],
    ['graph', { graph: globs('fraud') }, {}, true],
    ['graph', { graph: globs('sandbox', 'fra??') }, {}, true],
    ['graph', { graph: globs('frau') }, {}, false],
    ['query', { query: globs('ring_*') }, {}, true],
    ['query', { query: globs('*_ring') }, {}, false],
    ['query', { query: regex('^ring_(scan|walk)$') }, {}, true],
    ['query', { query: regex('^ring$') }, {}, false],
    ['method', { method: globs('GET') }, { method: 'GET' }, true],
    ['method', { method: globs('GET') }, { method: 'POST' }, false],
    ['missing method', { method: globs('*') }, {}, false],
    ['all of several clauses', { node: globs('n1'), graph: globs('fraud'), query: globs('*') }, {}, true],
    ['one of several clauses', { node: globs('n2'), graph: globs('fraud'), query: globs('*') }, {}, false],
  ];

  it.each(
    cases.map(
      (one) =>
        [`on the ${one[0]} (${conditionsText(one[1])}, ${JSON.stringify(one[2])}) matches: ${one[3]}`, one] as const,
    ),
  )('%s', (_, [, when, run, expected]) => {
    expect(timing(when, run) !== undefined).toBe(expected);
    expect(timing(when, run)?.holds ?? false).toBe(expected);
  });
});

describe('params condition', () => {
  it.each<[NonNullable<Conditions['params']>, string, boolean]>([
    [{ depth: globs('4') }, 'depth=4', true],
    [{ depth: globs('4') }, 'depth=40', false],
    [{ depth: globs('4') }, 'DEPTH=4', false],
    [{ depth: globs('*') }, '', false],
    [{ depth: globs('*') }, 'depth', true],
    [{ depth: globs('4'), mode: globs('full') }, 'mode=full&depth=4', true],
    [{ depth: globs('4'), mode: globs('full') }, 'depth=4', false],
    [{ depth: globs('4*') }, 'depth=4&depth=41', true],
    [{ depth: globs('4') }, 'depth=4&depth=5', false],
    [{ name: globs('J* K') }, 'name=J%C3%BCrgen+K', true],
    [{ depth: globs('4') }, 'depth=4&broken=%', false],
    [{ depth: regex('^[4-9]$') }, 'depth=7', true],
    [{ constructor: globs('*') }, 'depth=4', false],
  ])('%j matches the parameters «%s»: %s', (params, query, expected) => {
    expect(timing({ params }, { url: `/query/fraud/ring_scan?${query}` })?.holds ?? false).toBe(expected);
  });
});

describe('time condition', () => {
  const range = { least: 100_000, most: 103_000 };

  it.each<[string, Conditions, boolean, number]>([
    ['the smaller age is above', { age: bound('> 99999') }, true, -1],
    ['the smaller age is not above', { age: bound('> 101000') }, false, 1000],
    ['even the larger age is below', { age: bound('<= 103000') }, true, Number.NEGATIVE_INFINITY],
    ['the larger age is not below', { age: bound('<= 102000') }, false, Number.NEGATIVE_INFINITY],
    ['the remaining time is certainly more', { remaining: bound('>= 97000') }, true, Number.NEGATIVE_INFINITY],
    ['the remaining time may be less', { remaining: bound('>= 98000') }, false, Number.NEGATIVE_INFINITY],
    ['the remaining time is certainly less', { remaining: bound('<= 100000') }, true, 0],
    ['the remaining time may be more', { remaining: bound('< 99000') }, false, 1000],
    ['the share is above', { ageShare: bound('>= 0.5') }, true, 0],
    ['the share will be above', { ageShare: bound('> 0.75') }, false, 50_000],
    ['the share is certainly below', { ageShare: bound('< 0.515') }, false, Number.NEGATIVE_INFINITY],
    ['the timeout is above', { grantedTimeout: bound('> 199999') }, true, Number.NEGATIVE_INFINITY],
  ])('holds if $0: $2', (_, when, holds, from) => {
    const found = timing(when, { age: range, timeout: 200_000 });
    expect(found?.holds).toBe(holds);
    expect(found?.from).toBe(from);
  });

  it('continues to hold while no list arrives', () => {
    const when = { age: bound('> 130000'), remaining: bound('> 60000') };
    const received = [0, 30_000, 30_001, 37_000, 37_001].map((after) =>
      timing(when, { age: range, timeout: 200_000 }, after),
    );
    expect(received.map((one) => one?.holds)).toEqual([false, false, true, false, false]);
    expect(received.map((one) => one?.from)).toEqual([30_000, 0, -1, -7000, -7001]);
    expect(received.map((one) => one?.until)).toEqual([37_000, 7000, 6999, 0, -1]);
  });

  it.each<Conditions>([
    { grantedTimeout: bound('> 1') },
    { grantedTimeout: bound('< 1000000') },
    { remaining: bound('> 1') },
    { remaining: bound('< 1000000') },
    { ageShare: bound('> 0.0001') },
    { ageShare: bound('< 1000') },
  ])('never holds without a granted timeout: %j', (when) => {
    expect(timing(when, { timeout: -1 })).toBeUndefined();
    expect(timing({ ...when, age: bound('> 0') }, { timeout: -1 })).toBeUndefined();
  });

  it('accepts a granted timeout of zero', () => {
    expect(timing({ ageShare: bound('> 0.0001') }, { timeout: 0 })).toBeUndefined();
    expect(timing({ grantedTimeout: bound('<= 0') }, { timeout: 0 })?.holds).toBe(true);
    expect(timing({ remaining: bound('< 0') }, { timeout: 0 })?.holds).toBe(true);
  });

  it('reports at once if the granted timeout does not meet the condition', () => {
    expect(timing({ grantedTimeout: bound('> 3600000') })).toBeUndefined();
  });
});

describe('exception', () => {
  const when = { age: bound('> 60000') };
  const matches = (unless: Conditions, run: CandidateOptions = {}, after = 0): boolean => {
    const test = compileConditions(when, unless);
    const one = candidate(run);
    return test.matchesStatic(one) && test.timing(one, at(after).mono)?.holds === true;
  };

  it.each<[Conditions, CandidateOptions, boolean]>([
    [{ graph: globs('ledger') }, {}, true],
    [{ graph: globs('fraud') }, {}, false],
    [{ graph: globs('fraud'), query: globs('nightly_*') }, {}, true],
    [{ graph: globs('fraud'), query: globs('ring_*') }, {}, false],
    [{ age: bound('> 300000') }, {}, true],
    [{ age: bound('< 300000') }, {}, false],
    [{ graph: globs('ledger'), age: bound('< 300000') }, {}, true],
    [{ params: { tenant: globs('acme') } }, { url: '/query/fraud/ring_scan?tenant=other' }, true],
    [{ params: { tenant: globs('acme') } }, { url: '/query/fraud/ring_scan?tenant=acme' }, false],
  ])('%j with %j: the policy matches: %s', (unless, run, expected) => {
    expect(matches(unless, run)).toBe(expected);
  });

  it.each<[string, Conditions, CandidateOptions]>([
    ['no parameter is listed', { params: { tenant: globs('acme') } }, {}],
    ['one of two values matches', { params: { a: globs('1') } }, { url: '/query/fraud/ring_scan?a=1&a=2' }],
    ['the parameters cannot be decoded', { params: { a: globs('1') } }, { url: '/query/fraud/ring_scan?a=%zz' }],
    ['the method is not listed', { method: globs('GET') }, {}],
    ['the timeout is not listed', { grantedTimeout: bound('> 1') }, { timeout: -1 }],
    ['the remaining time is not known', { remaining: bound('> 1') }, { timeout: -1 }],
    ['the share of the timeout is not known', { ageShare: bound('> 0.5') }, { timeout: 0 }],
    ['the timeout may be above', { grantedTimeout: bound('> 3600000') }, { timeout: { least: 1, most: 3_600_001 } }],
    ['the timeout may be below', { grantedTimeout: bound('< 3600000') }, { timeout: { least: 1, most: 3_600_001 } }],
    ['the remaining time may be above', { remaining: bound('> 60000') }, { timeout: { least: 0, most: 180_001 } }],
    ['the remaining time may be below', { remaining: bound('< 60000') }, { timeout: { least: 0, most: 190_000 } }],
    ['the share may be above', { ageShare: bound('> 0.5') }, { timeout: { least: 200_000, most: 300_000 } }],
    ['the share may be below', { ageShare: bound('< 0.5') }, { timeout: { least: 200_000, most: 300_000 } }],
    ['the age is not known exactly', { age: bound('> 121000') }, { age: { least: 120_000, most: 122_000 } }],
  ])('spares a query if %s', (_, unless, run) => {
    expect(matches(unless, run)).toBe(false);
  });

  it('ends when the query is old enough, and the match time is the end', () => {
    const test = compileConditions(when, { age: bound('< 150000') });
    const one = candidate({ age: { least: 120_000, most: 121_000 } });
    expect(test.timing(one, at(0).mono)).toMatchObject({ holds: false, from: 30_000 });
    expect(test.timing(one, at(30_000).mono)).toMatchObject({ holds: true, from: 0 });
  });

  it('ends when one of several conditions fails', () => {
    const test = compileConditions(when, { age: bound('< 300000'), remaining: bound('> 1000000') });
    const one = candidate({ timeout: 1_150_000 });
    expect(test.timing(one, at(0).mono)).toMatchObject({ holds: false, from: 30_000 });
    expect(test.timing(one, at(31_000).mono)?.holds).toBe(true);
  });
});

describe('result of each condition', () => {
  it('leads to the match of the policy, for 2000 random policies and queries', () => {
    let matching = 0;
    for (let seed = 1; seed <= 2000; seed += 1) {
      const random = randomMatchInput(seed);
      for (const { when, unless } of random.settings.policies) {
        for (const one of random.setup.candidates) {
          const mono = random.setup.now.mono;
          const test = compileConditions(when, unless);
          const isMatch = test.matchesStatic(one) && test.timing(one, mono)?.holds === true;
          const holds = conditionResults(when, one, mono).every((result) => result.holds === true);
          const exempt = unless && conditionResults(unless, one, mono).every((result) => result.holds !== false);
          expect(holds && exempt !== true, `seed ${seed}`).toBe(isMatch);
          matching += isMatch ? 1 : 0;
        }
      }
    }
    expect(matching).toBeGreaterThan(500);
  });

  it('shows no value of a parameter', () => {
    const params = { tenant: globs('acme') };
    const results = conditionResults({ params }, candidate({ url: '/query/fraud/ring_scan?tenant=secret' }), 0);
    expect(results).toEqual([{ name: 'params', wanted: 'tenant: acme', seen: 'not shown', holds: false }]);
  });
});

describe('protected query', () => {
  const isProtected = compileProtection([
    { graph: globs('*'), query: globs('nightly_*') },
    { node: globs('n3') },
    { graph: globs('ledger') },
    { query: globs('export'), params: { tenant: globs('acme') } },
  ]);

  it.each<[CandidateOptions, boolean]>([
    [{}, false],
    [{ url: '/query/fraud/nightly_scan' }, true],
    [{ url: '/query/fraud/a_nightly_scan' }, false],
    [{ url: '/query/ledger/x' }, true],
    [{ node: 'n3' }, true],
    [{ url: '/query/fraud/export?tenant=acme' }, true],
    [{ url: '/query/fraud/export?tenant=other' }, false],
    [{ url: '/query/fraud/export?tenant=acme&tenant=other' }, true],
    [{ url: '/query/fraud/export' }, true],
  ])('matches %j: %s', (run, expected) => {
    expect(isProtected(candidate(run))).toBe(expected);
  });

  it('does not exist without patterns', () => {
    expect(compileProtection([])(candidate())).toBe(false);
  });
});
