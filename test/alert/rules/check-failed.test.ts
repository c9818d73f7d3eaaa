import { expect, it } from 'vitest';
import { checkFailed } from '../../../src/alert/rules/check-failed.ts';
import { findings, situationWith } from './rule-fixtures.ts';

const labels = { check: 'data_consistency', graph: 'fraud', partition: '1', engine: '' };

it('check_failed › fires for failed checks only', () => {
  const situation = situationWith({
    graphdb_check_passed: [
      [labels, 0],
      [{ ...labels, partition: '2' }, 1],
      [{ check: 'deleted_vertex', graph: '', partition: '', engine: '' }, 0],
    ],
  });
  expect(findings(checkFailed, situation)).toEqual([
    { labels, facts: { where: ' (graph fraud, partition 1)' } },
    { labels: { check: 'deleted_vertex', graph: '', partition: '', engine: '' }, facts: { where: '' } },
  ]);
});
