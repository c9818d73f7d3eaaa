import { describe, expect, it } from 'vitest';
import { guardSection } from '../../../src/guard/guard-section.ts';
import {
  compileParamConditions,
  conditionSections,
  paramConditionKey,
  paramConditionsOf,
  toParamConditions,
} from '../../../src/guard/recording/param-conditions.ts';
import { observationOf } from '../observations.ts';
import { policyOf } from '../parsed-policy.ts';

const policies = [
  policyOf({ when: { params: { depth: ['4*', '9'], mode: 'full' } } }),
  policyOf({ when: { age: '> 1m' }, unless: { params: { mode: 'full' } } }),
];
const protect = guardSection.parse({ protect: [{ params: { name: 're:^[A-Z].*$' } }] }).protect;
const sections = conditionSections({ protect }, policies);

describe('parameter conditions', () => {
  it('are listed once each, as in the configuration', () => {
    expect(paramConditionsOf(sections)).toEqual([
      { param: 'depth', patterns: ['4*', '9'] },
      { param: 'mode', patterns: ['full'] },
      { param: 'name', patterns: ['re:^[A-Z].*$'] },
    ]);
    expect(toParamConditions()).toEqual([]);
  });

  it.each([
    ['depth=4&mode=full&name=Ann', '111'],
    ['depth=9&mode=fully&name=ann', '100'],
    ['depth=%34%30&mode=full', '11?'],
    ['depth=4&depth=5', '???'],
    ['depth=1&depth=5', '0??'],
    ['depth=4&mode=%zz', '???'],
    ['', '???'],
  ])('have for ?%s the results %s', (query, reported) => {
    expect(compileParamConditions(sections)(observationOf({ url: `/query/fraud/ring_scan?${query}` }))).toBe(reported);
  });

  it('are empty if no policy has conditions on parameters', () => {
    expect(compileParamConditions([])(observationOf())).toBe('');
  });

  it('are equal if their text is equal', () => {
    const key = paramConditionKey({ param: 'a', patterns: ['b', 'c'] });
    expect(key).toBe(paramConditionKey({ param: 'a', patterns: ['b', 'c'] }));
    for (const other of [
      { param: 'a', patterns: ['b,c'] },
      { param: 'a', patterns: ['c', 'b'] },
      { param: 'b', patterns: ['b', 'c'] },
    ]) {
      expect(paramConditionKey(other)).not.toBe(key);
    }
  });

  it('accept names of object properties', () => {
    const odd = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    const [policy] = [policyOf({ when: { params: odd, age: '> 1m' } })];
    if (policy === undefined) throw new Error('no policy');
    const all = paramConditionsOf([policy.when]);
    const url = `/query/fraud/ring_scan?constructor=y&__proto__=x`;
    expect(compileParamConditions([policy.when])(observationOf({ url }))).toBe('1'.repeat(all.length));
  });
});
