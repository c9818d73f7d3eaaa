import { describe, expect, it } from 'vitest';
import { loadingStalled } from '../../../src/alert/rules/loading-stalled.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

const labels = { graph: 'fraud', loading_job: 'load_a' };

describe('loading_stalled', () => {
  it.each([
    [0, ['fraud load_a']],
    [0.1, []],
    [2000, []],
  ])('where a job reads %d lines in a second', (speed, firing) => {
    const situation = situationWith({ graphdb_loading_job_lines_per_second: [[labels, speed]] });
    expect(firingIdentities(loadingStalled, situation)).toEqual(firing);
  });

  it('ignores jobs that do not run, which have no speed', () => {
    const situation = situationWith({ graphdb_loading_jobs_failed: [[labels, 1]] });
    expect(firingIdentities(loadingStalled, situation)).toEqual([]);
  });

  it('states the progress of the job', () => {
    const others = [
      { ...labels, graph: 'risk' },
      { ...labels, loading_job: 'load_b' },
    ].map((one) => [one, 0.9] as const);
    const situation = situationWith({
      graphdb_loading_job_lines_per_second: [[labels, 0]],
      graphdb_loading_job_progress_ratio: [...others, [labels, 0.41]],
    });
    expect(findings(loadingStalled, situation)[0]?.facts).toEqual({ progress: '41 %' });
  });
});
