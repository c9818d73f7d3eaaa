import { describe, expect, it } from 'vitest';
import { optimizerStatisticsDrifted } from '../../../src/alert/rules/optimizer-statistics-drifted.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

const rule = optimizerStatisticsDrifted;

function counts(real: number, stored: number | undefined, type = 'Account', of: 'vertices' | 'edges' = 'vertices') {
  const labels = { graph: 'fraud', type };
  return situationWith({
    [`graphdb_graph_type_${of}`]: [[labels, real]],
    [`graphdb_optimizer_type_${of}`]: stored === undefined ? [] : [[labels, stored]],
  });
}

describe('optimizer_statistics_drifted', () => {
  it.each([
    ['the numbers are equal', 20_000, 20_000, []],
    ['there are twice as many vertices', 40_000, 20_000, []],
    ['there are more than twice as many', 40_001, 20_000, ['fraud Account']],
    ['there are half as many vertices', 20_000, 40_000, []],
    ['there are less than half as many', 19_999, 40_000, ['fraud Account']],
    ['the stored number is 0', 20_000, 0, ['fraud Account']],
    ['the type has few vertices', 9999, 1_000_000, []],
    ['the type is empty', 0, 1_000_000, []],
    ['the stored number is unknown', 20_000, undefined, []],
  ])('finds $3 if $0', (_, real, stored, firing) => {
    expect(firingIdentities(rule, counts(real, stored))).toEqual(firing);
  });

  it('compares edges, and states both numbers', () => {
    const found = findings(rule, counts(50_000, 20_000, 'owns', 'edges'));
    expect(found).toEqual([{ labels: { graph: 'fraud', type: 'owns' }, facts: { real: '50000', stored: '20000' } }]);
  });

  it('does not compare the sums of other types', () => {
    expect(firingIdentities(rule, counts(50_000, 20_000, 'other'))).toEqual([]);
  });

  it('follows the thresholds, and carries any name of a type', () => {
    expect(firingIdentities(rule, counts(50_000, 20_000), { share: 0.3 })).toEqual([]);
    expect(firingIdentities(rule, counts(5000, 2000), { min_count: 5000 })).toEqual(['fraud Account']);
    expect(findings(rule, counts(50_000, 20_000, '"\n<b>'))[0]?.labels.type).toBe('"\n<b>');
  });
});
