import { describe, expect, it } from 'vitest';
import { createTopology } from '../../../src/simulator/topology.ts';
import { serverRelease } from '../../../src/simulator/versions.ts';
import { ConsistencyResults } from '../../../src/simulator/world/consistency-results.ts';

const board = (): ConsistencyResults => new ConsistencyResults(createTopology(4, serverRelease('4.1.2')));

describe('ConsistencyResults', () => {
  it('checks partitions and engines, and finds no problem', () => {
    const { results } = board();
    const subjects = (check: string): readonly string[] =>
      results.filter((verdict) => verdict.check === check).map(({ partition, engine }) => partition + engine);
    expect(subjects('data_consistency')).toEqual(['1', '2', 'GPE_1_1', 'GPE_1_2', 'GPE_2_1', 'GPE_2_2']);
    expect(subjects('deleted_vertex')).toEqual(['GPE_1_1', 'GPE_1_2', 'GPE_2_1', 'GPE_2_2']);
    expect(results.every(({ unsynced }) => unsynced === 0)).toBe(true);
  });

  it.each([
    ['data_consistency', '2', { partition: '2', engine: '' }],
    ['data_consistency', 'GPE_1_2', { partition: '', engine: 'GPE_1_2' }],
    ['deleted_vertex', 'GPE_1_2', { partition: '', engine: 'GPE_1_2' }],
  ] as const)('makes %s report a problem of %s', (check, subject, expected) => {
    const changed = board();
    changed.set(check, subject, 3);
    expect(changed.results.filter(({ unsynced }) => unsynced > 0)).toEqual([{ check, ...expected, unsynced: 3 }]);
    changed.set(check, subject, 0);
    expect(changed.results).toEqual(board().results);
  });
});
