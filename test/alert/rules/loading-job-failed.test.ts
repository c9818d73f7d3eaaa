import { expect, it } from 'vitest';
import { loadingJobFailed } from '../../../src/alert/rules/loading-job-failed.ts';
import { firingIdentities, situationWith } from './rule-fixtures.ts';

it.each([
  [0, []],
  [1, ['fraud load_a']],
  [3, ['fraud load_a']],
])('loading_job_failed › where %i latest runs failed', (count, firing) => {
  const situation = situationWith({
    graphdb_loading_jobs_failed: [
      [{ graph: 'fraud', loading_job: 'load_a' }, count],
      [{ graph: 'fraud', loading_job: 'load_b' }, 0],
    ],
  });
  expect(firingIdentities(loadingJobFailed, situation)).toEqual(firing);
});

it('loading_job_failed › does not fire without loading jobs', () => {
  expect(firingIdentities(loadingJobFailed, situationWith({}))).toEqual([]);
});
