import { describe, expect, it } from 'vitest';
import { rebuild } from '../../src/collect/rebuild.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollEnd, pollOnce } from '../support/poll-results.ts';

describe('rebuild', () => {
  it('rebuilds one graph after the other, and measures each', async () => {
    const { lines, calls, error } = await pollOnce(rebuild, {
      graphs: ok(['fraud', 'social']),
      rebuildGraph: { fraud: failed('auth'), social: ok(1500) },
    });
    expect(error?.reason).toBe('auth');
    expect(calls).toEqual(['graphs', 'rebuildGraph fraud', 'rebuildGraph social']);
    expect(lines).toEqual([
      'graphdb_rebuild_success{graph="fraud"} 0',
      `graphdb_rebuild_last_run_timestamp_seconds{graph="fraud"} ${pollEnd.wall / 1000}`,
      'graphdb_rebuild_success{graph="social"} 1',
      'graphdb_rebuild_duration_seconds{graph="social"} 1.5',
      `graphdb_rebuild_last_run_timestamp_seconds{graph="social"} ${pollEnd.wall / 1000}`,
    ]);
  });

  it('ends if the server may still rebuild a graph', async () => {
    const { lines, calls, error } = await pollOnce(rebuild, {
      graphs: ok(['fraud', 'social']),
      rebuildGraph: { fraud: failed('timeout') },
    });
    expect(error?.reason).toBe('timeout');
    expect(calls).toEqual(['graphs', 'rebuildGraph fraud']);
    expect(lines[0]).toBe('graphdb_rebuild_success{graph="fraud"} 0');
  });

  it('is off by default, and runs at night', () => {
    expect(rebuild.defaults).toMatchObject({ enabled: false, schedule: '0 4 * * SUN' });
  });
});
