import { describe, expect, it } from 'vitest';
import { loadingJobs } from '../../src/collect/loading-jobs.ts';
import { ok } from '../../src/kernel/result.ts';
import { type LoadingRun, lineResults, loadingStates } from '../../src/model/loading.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const noLines = { valid: 0, filtered: 0, rejected: 0, too_few_tokens: 0, invalid_json: 0, oversize_token: 0 };

function run(job: string, more: Partial<LoadingRun> = {}): LoadingRun {
  const idle = { startedAt: 1_790_000_000_000, progress: 0, linesPerSecond: 0, lines: noLines };
  return { graph: 'fraud', job, id: `fraud.${job}.file.all.1`, state: 'running', ...idle, ...more };
}

async function linesOf(...runs: readonly LoadingRun[]): Promise<readonly string[]> {
  const { lines } = await pollOnce(loadingJobs, { graphs: ok(['fraud']), loadingRuns: { fraud: ok(runs) } });
  return lines;
}

const named = (lines: readonly string[], family: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${family}{`) || line.startsWith(`${family} `));

describe('loading_jobs', () => {
  it('shows state, age, progress, speed and lines of a running job', async () => {
    const lines = { ...noLines, valid: 900, filtered: 50, too_few_tokens: 50 };
    const shown = await linesOf(run('load_a', { progress: 0.25, linesPerSecond: 2000, lines }));
    const labels = 'graph="fraud",loading_job="load_a"';
    const counts = lineResults.map(
      (result) => `graphdb_loading_job_lines{${labels},result="${result}"} ${lines[result]}`,
    );
    expect(shown.filter((line) => !line.includes('age_seconds'))).toEqual([
      ...loadingStates.map(
        (state) => `graphdb_loading_jobs{graph="fraud",state="${state}"} ${state === 'running' ? 1 : 0}`,
      ),
      `graphdb_loading_jobs_failed{${labels}} 0`,
      ...counts,
      `graphdb_loading_job_progress_ratio{${labels}} 0.25`,
      `graphdb_loading_job_lines_per_second{${labels}} 2000`,
      'graphdb_loading_jobs_other 0',
      'graphdb_loading_jobs_uncounted_graphs 0',
    ]);
    expect(named(shown, 'graphdb_loading_job_age_seconds')).toHaveLength(1);
  });

  it('shows no age below 0 if the clock of the server is ahead', async () => {
    const shown = await linesOf(run('load_a', { startedAt: Number.MAX_SAFE_INTEGER }));
    expect(named(shown, 'graphdb_loading_job_age_seconds')).toEqual([
      'graphdb_loading_job_age_seconds{graph="fraud",loading_job="load_a"} 0',
    ]);
  });

  it('shows no age of a running job without a start, such as a waiting one', async () => {
    const shown = await linesOf(run('load_a', { startedAt: 0 }));
    expect(named(shown, 'graphdb_loading_job_age_seconds')).toEqual([]);
    expect(named(shown, 'graphdb_loading_job_progress_ratio')).toHaveLength(1);
  });

  it.each(loadingStates.filter((state) => state !== 'running'))(
    'shows neither age nor progress nor speed of a job in the state %s',
    async (state) => {
      const shown = await linesOf(run('load_a', { state }));
      expect(shown.filter((line) => /age_seconds|progress_ratio|per_second/.test(line))).toEqual([]);
      expect(shown).toContain(`graphdb_loading_jobs{graph="fraud",state="${state}"} 1`);
      expect(named(shown, 'graphdb_loading_jobs_failed')).toEqual([
        `graphdb_loading_jobs_failed{graph="fraud",loading_job="load_a"} ${state === 'failed' ? 1 : 0}`,
      ]);
    },
  );

  it('exposes only the latest run of a job, in any order of the server', async () => {
    const runs = [run('load_a', { startedAt: 2, state: 'finished' }), run('load_a', { startedAt: 1, state: 'failed' })];
    for (const listed of [runs, runs.toReversed()]) {
      const shown = await linesOf(...listed);
      expect(shown).toContain('graphdb_loading_jobs{graph="fraud",state="finished"} 1');
      expect(shown).toContain('graphdb_loading_jobs_failed{graph="fraud",loading_job="load_a"} 0');
    }
  });

  it('counts 10,000 jobs beyond the latest 100, and those without a name, as other', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) =>
      run(`job${at}`, { startedAt: at, state: 'failed', lines: { ...noLines, valid: 1 } }),
    );
    const unnamed = [run('', { id: 'x.1', state: 'failed' }), run('', { id: 'x.2', state: 'finished' })];
    const shown = await linesOf(...many, ...unnamed);
    const other = 'graph="fraud",loading_job="other"';
    expect(named(shown, 'graphdb_loading_jobs_failed')).toHaveLength(101);
    expect(shown).toContain('graphdb_loading_jobs_failed{graph="fraud",loading_job="job9999"} 1');
    expect(shown).toContain(`graphdb_loading_jobs_failed{${other}} 9901`);
    expect(shown).toContain(`graphdb_loading_job_lines{${other},result="valid"} 9900`);
    expect(shown).toContain('graphdb_loading_jobs_other 9902');
    expect(shown).toContain('graphdb_loading_jobs{graph="fraud",state="failed"} 10001');
  });

  it('shows the oldest, the slowest and the sum of the others', async () => {
    const others = [
      run('', { id: 'x.1', progress: 0.5, linesPerSecond: 10 }),
      run('', { id: 'x.2', progress: 0.25, linesPerSecond: 5 }),
    ];
    const shown = await linesOf(...others);
    expect(shown).toContain('graphdb_loading_job_progress_ratio{graph="fraud",loading_job="other"} 0.25');
    expect(shown).toContain('graphdb_loading_job_lines_per_second{graph="fraud",loading_job="other"} 15');
  });

  it('requests the first graphs only, and counts the others', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const requested = Object.fromEntries(graphs.slice(0, 100).map((graph) => [graph, ok([])]));
    const { lines, calls } = await pollOnce(loadingJobs, { graphs: ok(graphs), loadingRuns: requested });
    expect(calls).toHaveLength(101);
    expect(lines.at(-1)).toBe('graphdb_loading_jobs_uncounted_graphs 900');
  });

  it('keeps the graphs that answered when another fails', async () => {
    const { error, lines } = await pollOnce(loadingJobs, {
      graphs: ok(['fraud', 'risk']),
      loadingRuns: { fraud: ok([run('load_a')]), risk: failed('auth') },
    });
    expect(error?.reason).toBe('auth');
    expect(lines[0]).toBe('graphdb_loading_jobs{graph="fraud",state="running"} 1');
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const { error, lines } = await pollOnce(loadingJobs, { graphs: ok(['g']), loadingRuns: { g: failed(reason) } });
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
