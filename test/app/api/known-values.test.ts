import { describe, expect, it } from 'vitest';
import { type KnownValues, unknownValue } from '../../../src/app/api/known-values.ts';

const known: KnownValues = {
  service: { values: () => ['GSE', 'GPE', 'GPE'] },
  name: { values: () => ['prod'] },
  graph: { values: () => ['fraud'], isOpen: true },
  node: { values: () => [] },
  partition: { values: () => Array.from({ length: 30 }, (_, at) => `p${at + 10}`) },
};

const problem = (query: string) => unknownValue(new URLSearchParams(query), known);

describe('value of a filter', () => {
  it.each(['service=GPE', 'service=', 'node=m1', 'id=7&limit=3', 'graph=social', ''])('may be as in %j', (query) => {
    expect(problem(query)).toBeUndefined();
  });

  it.each([
    ['service=gpe', "There is no service 'gpe'. Did you mean 'GPE'? Known: GPE, GSE."],
    ['service=zookeeper', "There is no service 'zookeeper'. Known: GPE, GSE."],
    ['name=dev', "There is no cluster 'dev'. Known: prod."],
    ['graph=froud', "There is no graph 'froud'. Did you mean 'fraud'? Known: fraud."],
  ])('that is unknown, %j, is rejected with the known ones', (query, expected) => {
    expect(problem(query)).toBe(expected);
  });

  it('is shortened, and so is a long list', () => {
    expect(problem(`service=${'x'.repeat(300)}`)).toContain(`'${'x'.repeat(100)}'`);
    expect(problem('partition=9')).toMatch(/p10, .*, p29, 10 more\.$/);
  });
});
