import { describe, expect, it } from 'vitest';
import type { QueryReport } from '../../../src/api/queries.ts';
import { runCommand, startGuardApi } from '../guard-api.ts';

const pausedQuery: QueryReport = {
  cluster: 'prod',
  node: 'm1',
  state: 'running',
  id: '7.RESTPP_1_1.1790000000000.N',
  graph: 'fraud',
  query: 'ring_scan',
  kind: 'installed',
  ageSeconds: 75,
  grantedTimeoutSeconds: 3600,
  remainingSeconds: 3525,
  overdue: false,
  asOf: '2026-09-22T04:53:20.000Z',
  policy: 'runaway',
  matchesAt: '2026-09-22T04:53:00.000Z',
  earliestAbortAt: '2026-09-22T04:53:30.000Z',
  protected: false,
  mode: 'enforce',
  held: 'paused',
  heldUntil: null,
};

describe('guard resume', () => {
  it('resumes a paused guard', async () => {
    const { control, url } = await startGuardApi();
    await runCommand(url, 'guard', 'pause');
    expect(await runCommand(url, 'guard', 'resume')).toEqual({ code: 0, out: 'guard resumed\n', error: '' });
    expect(control.paused().isPaused).toBe(false);
  });

  it('lists the queries that enforcing policies match, and resumes only with --yes', async () => {
    const { control, queries, url } = await startGuardApi();
    await runCommand(url, 'guard', 'pause');
    queries.push(pausedQuery, { ...pausedQuery, mode: 'observe', query: 'observed' });
    const refused = await runCommand(url, 'guard', 'resume');
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('match 1 query; to resume') });
    expect(refused.out).toContain('ring_scan');
    expect(refused.out).not.toContain('observed');
    expect(control.paused().isPaused).toBe(true);
    expect(await runCommand(url, 'guard', 'resume', '--yes')).toMatchObject({ code: 0, out: 'guard resumed\n' });
    expect(control.paused().isPaused).toBe(false);
  });

  it('resumes one cluster, and lists only its queries', async () => {
    const { control, queries, url } = await startGuardApi();
    control.pausedClusters.add('prod');
    queries.push({ ...pausedQuery, cluster: 'test' });
    expect(await runCommand(url, 'guard', 'resume', '--cluster', 'prod')).toMatchObject({ code: 0 });
    expect(control.paused('prod').isPaused).toBe(false);
    control.pausedClusters.add('prod');
    queries.push(pausedQuery);
    expect(await runCommand(url, 'guard', 'resume', '--cluster', 'prod')).toMatchObject({ code: 1 });
    expect(control.paused('prod').isPaused).toBe(true);
  });

  it('fails for an unknown cluster', async () => {
    const { control, url } = await startGuardApi();
    control.reasons.add('operator');
    const { code, error } = await runCommand(url, 'guard', 'resume', '--cluster', 'other');
    expect([code, control.paused().isPaused]).toEqual([1, true]);
    expect(error).toContain("Cluster 'other' is not in the configuration");
  });

  it('fails while another pause remains', async () => {
    const { control, url } = await startGuardApi();
    control.reasons.add('file');
    const { code, out, error } = await runCommand(url, 'guard', 'resume');
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('there is a file');
  });
});
