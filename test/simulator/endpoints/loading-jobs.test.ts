import { describe, expect, it } from 'vitest';
import { loadingProgress, loadingStatus } from '../../../src/simulator/endpoints/loading-jobs.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

interface Status {
  readonly results: readonly { readonly overall: { readonly id: string; readonly status: string } }[];
}

const world = worldOf({ scenario: 'bad_load' });
world.advance(noon + 60_000);

function request(query: string): Promise<unknown> {
  return jsonOf(loadingStatus(callOn(world, { query: new URLSearchParams(query) })));
}

describe('the status of loading jobs', () => {
  it('has the documented record for each run, without counters that are 0', async () => {
    const { results } = (await request('graph=fraud')) as Status;
    expect(results.map(({ overall }) => overall.status)).toEqual(['RUNNING', 'FAILED', 'RUNNING']);
    expect(results[0]).toMatchObject({
      overall: { currentSpeed: 2000, statistics: { fileLevel: { notEnoughToken: expect.any(Number) } } },
      workers: [{ tasks: [{ filename: 'load_accounts.csv' }] }],
    });
    expect(results[1]?.overall).not.toHaveProperty('currentSpeed');
    expect(results[0]?.overall.id).toMatch(/^fraud\.load_accounts\.file\.all\.\d+$/);
  });

  it('is that of one run for its id, under both names of the parameter', async () => {
    const { results } = (await request('graph=fraud')) as Status;
    const id = results[1]?.overall.id ?? '';
    for (const name of ['jobIds', 'jobId']) {
      expect(await request(`graph=fraud&${name}=${id}`)).toMatchObject({ results: [{ overall: { id } }] });
    }
  });

  it('is refused for an unknown graph', async () => {
    expect(await request('graph=nowhere')).toMatchObject({ error: true });
  });

  it('is one of several actions before 4.0', async () => {
    const progress = (action: string): Promise<unknown> =>
      jsonOf(loadingProgress(callOn(world, { query: new URLSearchParams({ graph: 'fraud', action }) })));
    expect(await progress('getprogress')).toEqual(await request('graph=fraud'));
    expect(await progress('abort')).toMatchObject({ error: true });
  });
});
