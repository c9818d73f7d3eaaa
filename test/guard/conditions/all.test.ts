import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conditionList, givenConditions, protectingConditions } from '../../../src/guard/conditions/all.ts';
import { conditionsSection } from '../../../src/guard/conditions-section.ts';

describe('the list of policy conditions', () => {
  it('has every file of the folder', () => {
    const files = readdirSync('src/guard/conditions').filter((file) => !['all.ts', 'condition.ts'].includes(file));
    const names = conditionList.map(({ condition }) => `${condition.name.replaceAll('_', '-')}.ts`);
    expect(names.toSorted()).toEqual(files.toSorted());
  });

  it.each(conditionList)('has a test or a timing for $key', ({ condition }) => {
    expect(condition.test === undefined).toBe(condition.timing !== undefined);
  });

  it('yields the conditions that are set, in its order', () => {
    const when = conditionsSection.parse({ age_share: '> 0.5', age: '> 1m', graph: 'fraud' });
    expect([...givenConditions(when)].map(({ key }) => key)).toEqual(['graph', 'age', 'ageShare']);
  });

  it('lets protect take names only', () => {
    expect(protectingConditions.map(({ key }) => key)).toEqual(['node', 'graph', 'query']);
  });
});
