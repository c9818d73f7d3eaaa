import { describe, expect, it } from 'vitest';
import { loadingJobs } from '../../../src/simulator/world/loading-jobs.ts';
import { noon, worldOf } from '../test-world.ts';

const minute = 60_000;

function statesAt(age: number, badFor?: number) {
  const now = noon + age;
  const runs = loadingJobs({ worldBeganAt: noon, now, badSince: badFor === undefined ? undefined : now - badFor });
  return new Map(runs.map((run) => [run.name, run]));
}

describe('the loading jobs', () => {
  it('load files at intervals, and a stream without an end', () => {
    const accounts = (age: number) => statesAt(age).get('load_accounts');
    expect(accounts(minute)).toMatchObject({ status: 'RUNNING', progress: 0.25, startedAt: noon });
    expect(accounts(5 * minute)).toMatchObject({ status: 'FINISHED', progress: 1, startedAt: noon });
    expect(accounts(11 * minute)).toMatchObject({ status: 'RUNNING', startedAt: noon + 10 * minute });
    expect(statesAt(50 * minute).get('load_transfers')).toMatchObject({ status: 'RUNNING', speed: 500 });
  });

  it('fail, stall and reject lines while their input is invalid', () => {
    const bad = statesAt(30 * minute, 2 * minute);
    expect(bad.get('load_devices')).toMatchObject({ status: 'FAILED', speed: 0, progress: 0.25 });
    expect(bad.get('load_transfers')).toMatchObject({ status: 'RUNNING', speed: 0 });
    expect(bad.get('load_transfers')?.valid).toBe(statesAt(28 * minute).get('load_transfers')?.valid);
    const { valid = 0, rejected = 0 } = bad.get('load_accounts') ?? {};
    expect(rejected / (valid + rejected)).toBeCloseTo(0.2);
  });

  it('follow the scenario', () => {
    const world = worldOf({ scenario: 'bad_load' });
    const failed = (seconds: number): boolean => {
      world.advance(noon + seconds * 1000);
      return world.loadingJobs().some(({ status }) => status === 'FAILED');
    };
    expect([failed(10), failed(40), failed(640)]).toEqual([false, true, false]);
  });
});
