import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conditionList, givenConditions, protectingConditions } from '../../../src/guard/conditions/all.ts';
import { conditionsSection } from '../../../src/guard/conditions-section.ts';

describe('policy conditions', () => {
  it('include every file of the folder', () => {
    const files = readdirSync('src/guard/conditions').filter((file) => !['all.ts', 'condition.ts'].includes(file));
    const names = conditionList.map(({ condition }) => `${condition.name.replaceAll('_', '-')}.ts`);
    expect(names.toSorted()).toEqual(files.toSorted());
  });

  it('are returned in their order if they are set', () => {
    const when = conditionsSection.parse({ age_share: '> 0.5', age: '> 1m', graph: 'fraud' });
    expect([...givenConditions(when)].map(({ key }) => key)).toEqual(['graph', 'age', 'ageShare']);
  });

  it('that protect accepts do not change while a query runs', () => {
    expect(protectingConditions.map(({ key }) => key)).toEqual(['node', 'graph', 'query', 'params']);
  });
});
