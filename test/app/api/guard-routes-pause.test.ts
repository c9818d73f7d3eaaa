import { describe, expect, it } from 'vitest';
import { setUpGuardRoutes } from './guard-routes-fixture.ts';

/** Answer for a guard that is paused, or not, for the same reasons on all clusters. */
function everywhere(...reasons: readonly string[]) {
  const state = { paused: reasons.length > 0, reasons };
  return { ...state, clusters: ['prod', 'test'].map((cluster) => ({ cluster, ...state })) };
}

describe('guard pause and resume', () => {
  it('pauses and resumes', async () => {
    const { post, control } = setUpGuardRoutes();
    expect(await post('/api/v1/guard/pause')).toEqual({ status: 200, answer: everywhere('operator') });
    expect(control.paused().isPaused).toBe(true);
    expect(await post('/api/v1/guard/resume')).toEqual({ status: 200, answer: everywhere() });
  });

  it('resumes one cluster whose guard paused itself', async () => {
    const { post, control } = setUpGuardRoutes();
    control.pausedClusters.add('prod').add('test');
    const { status, answer } = await post('/api/v1/guard/resume?cluster=prod');
    expect([status, [...control.pausedClusters]]).toEqual([200, ['test']]);
    expect(answer).toMatchObject({
      paused: false,
      reasons: [],
      clusters: [
        { cluster: 'prod', paused: false },
        { cluster: 'test', paused: true, reasons: ['unexpected_id'] },
      ],
    });
  });

  it.each([
    ['?clutser=prod', 400],
    ['?cluster=prod&cluster=test', 400],
    ['?cluster=', 404],
    ['?cluster=other', 404],
  ])('does not resume the guard by %s', async (query, expected) => {
    const { post, control } = setUpGuardRoutes();
    control.pausedClusters.add('prod');
    control.reasons.add('operator');
    expect((await post(`/api/v1/guard/resume${query}`)).status).toBe(expected);
    expect(control.paused('prod').reasons).toEqual(['operator', 'unexpected_id']);
  });

  it('reports the remaining reason for the pause', async () => {
    const { post, control } = setUpGuardRoutes();
    control.reasons.add('file');
    const { status, answer } = await post('/api/v1/guard/resume');
    expect([status, answer.detail]).toEqual([409, 'The guard is still paused: there is a file.']);
  });

  it('reports a pause that is not stored', async () => {
    const { post, control } = setUpGuardRoutes();
    control.failsToStore = true;
    const { status, answer } = await post('/api/v1/guard/pause');
    expect([status, answer.detail]).toEqual([
      503,
      'The guard is paused, but only in this process, and it resumes at the next restart: the disk is full.',
    ]);
    expect(control.paused().isPaused).toBe(true);
  });
});
