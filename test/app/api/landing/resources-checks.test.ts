import { expect, it } from 'vitest';
import type { CheckReport } from '../../../../src/api/clusters.ts';
import { checksInWords } from '../../../../src/app/api/landing/resources.ts';
import { lines, wall } from './landing-fixtures.ts';

const passed: CheckReport = {
  cluster: 'prod',
  check: 'data_consistency',
  graph: '',
  partition: '1',
  engine: '',
  passed: true,
  unsyncedEntries: 0,
  lastRun: new Date(wall - 3 * 3_600_000).toISOString(),
};
const vertex = { ...passed, check: 'deleted_vertex', partition: '', engine: 'GPE_1_1' };

it.each([
  ['none yet', [], ['plain: None has run yet']],
  [
    'all passed',
    [passed, { ...passed, partition: '2' }, vertex],
    ['good: data_consistency passed 3h ago', 'good: deleted_vertex passed 3h ago'],
  ],
  [
    'one failed',
    [
      { ...passed, graph: 'fraud', passed: false, unsyncedEntries: 12 },
      { ...passed, partition: '2' },
    ],
    ['bad: data_consistency failed 3h ago: 12 unsynced entries in graph fraud, partition 1'],
  ],
  [
    'failed in two places',
    [
      { ...vertex, passed: false, unsyncedEntries: 1 },
      { ...vertex, engine: 'GPE_1_2', passed: false, unsyncedEntries: null },
    ],
    ['bad: deleted_vertex failed 3h ago: 1 unsynced entry in GPE_1_1 and GPE_1_2'],
  ],
  [
    'failed as a whole at an unknown time',
    [{ ...passed, partition: '', passed: false, unsyncedEntries: null, lastRun: null }],
    ['bad: data_consistency failed: the cluster'],
  ],
])('%s', (_, checks, expected) => {
  expect(lines(checksInWords(checks, wall))).toEqual(expected);
});
