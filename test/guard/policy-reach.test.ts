import { describe, expect, it } from 'vitest';
import type { Comparison, Operator } from '../../src/guard/comparison.ts';
import type { Conditions } from '../../src/guard/conditions/all.ts';
import { excludesOrdinaryQueries } from '../../src/guard/policy-reach.ts';

const usual = { observations: 2, apart: 5000 };

function bound(operator: Operator, value: number): Comparison {
  return { operator, value };
}

function globs(...texts: readonly string[]) {
  return texts.map((text) => ({ kind: 'glob' as const, text }));
}

describe('conditions', () => {
  it.each<readonly [string, Conditions]>([
    ['a graph', { graph: globs('sandbox') }],
    ['some queries', { query: globs('adhoc_*') }],
    ['some queries of all graphs', { graph: globs('*'), query: globs('adhoc_*') }],
    ['a parameter', { params: { debug: globs('*') } }],
    ['an age', { age: bound('>', 60_000) }],
    ['an age just above the time of the confirmation', { age: bound('>', 4500) }],
    ['a share of the timeout', { ageShare: bound('>', 0.5) }],
    ['a generous timeout', { grantedTimeout: bound('>', 16_000) }],
    ['much remaining time', { remaining: bound('>', 30_000) }],
    ['the remaining time of the usual timeout', { remaining: bound('>', 11_500) }],
  ])('on %s exclude ordinary queries', (_, when) => {
    expect(excludesOrdinaryQueries(when, usual)).toBe(true);
  });

  it.each<readonly [string, Conditions]>([
    ['nothing', {}],
    ['any graph', { graph: globs('*') }],
    ['any query', { query: globs('?*') }],
    ['a pattern that matches every name', { query: globs('x', '*') }],
    ['a node', { node: globs('m1') }],
    ['a method', { method: globs('GET') }],
    [
      'a node, a method and any name',
      { node: globs('m1'), method: globs('GET'), graph: globs('*'), query: globs('*') },
    ],
    ['an age that the confirmation requires anyway', { age: bound('>', 4499) }],
    ['no age', { age: bound('>=', 0) }],
    ['an age that is not too high', { age: bound('<', 86_400_000) }],
    ['any share of the timeout', { ageShare: bound('>', 0) }],
    ['the usual timeout', { grantedTimeout: bound('>=', 16_000) }],
    ['a timeout that is not too high', { grantedTimeout: bound('<', 3_600_000) }],
    ['some remaining time', { remaining: bound('>', 1000) }],
    ['less than the remaining time of the usual timeout', { remaining: bound('>', 11_499) }],
  ])('on %s do not exclude ordinary queries', (_, when) => {
    expect(excludesOrdinaryQueries(when, usual)).toBe(false);
  });

  it('are evaluated with the duration of the confirmation', () => {
    const when = { age: bound('>', 30_000) };
    expect(excludesOrdinaryQueries(when, { observations: 2, apart: 30_000 })).toBe(true);
    expect(excludesOrdinaryQueries(when, { observations: 3, apart: 30_000 })).toBe(false);
  });
});
