import { describe, expect, it } from 'vitest';
import { clauseKey, clausesOf, clauseTest, paramClauses } from '../../../src/guard/tape/clauses.ts';
import { sightingOf } from '../listed.ts';
import { policyOf } from '../policy-of.ts';

const policies = [
  policyOf({ when: { params: { depth: ['4*', '9'], mode: 'full' } } }),
  policyOf({ when: { age: '> 1m' } }),
  policyOf({ when: { params: { mode: 'full', name: 're:^[A-Z].*$' } } }),
];

describe('clauses on parameters', () => {
  it('are named once each, as configurations write them', () => {
    expect(clausesOf(policies)).toEqual([
      { param: 'depth', patterns: ['4*', '9'] },
      { param: 'mode', patterns: ['full'] },
      { param: 'name', patterns: ['re:^[A-Z].*$'] },
    ]);
    expect(paramClauses()).toEqual([]);
  });

  it.each([
    ['depth=4&mode=full&name=Ann', '111'],
    ['depth=9&mode=fully&name=ann', '100'],
    ['depth=%34%30&mode=full', '110'],
    ['depth=4&depth=5', '000'],
    ['depth=4&mode=%zz', '000'],
    ['', '000'],
  ])('are true of ?%s or not: %s', (query, told) => {
    expect(clauseTest(policies)(sightingOf({ url: `/query/fraud/ring_scan?${query}` }))).toBe(told);
  });

  it('are none where no policy asks for parameters', () => {
    expect(clauseTest([])(sightingOf())).toBe('');
  });

  it('are the same where they are written alike', () => {
    const key = clauseKey({ param: 'a', patterns: ['b', 'c'] });
    expect(key).toBe(clauseKey({ param: 'a', patterns: ['b', 'c'] }));
    for (const other of [
      { param: 'a', patterns: ['b,c'] },
      { param: 'a', patterns: ['c', 'b'] },
      { param: 'b', patterns: ['b', 'c'] },
    ]) {
      expect(clauseKey(other)).not.toBe(key);
    }
  });

  it('may have the names that objects have', () => {
    const odd = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    const [policy] = [policyOf({ when: { params: odd, age: '> 1m' } })];
    if (policy === undefined) throw new Error('no policy');
    const all = clausesOf([policy]);
    const url = `/query/fraud/ring_scan?constructor=y&__proto__=x`;
    expect(clauseTest([policy])(sightingOf({ url }))).toBe('1'.repeat(all.length));
  });
});
