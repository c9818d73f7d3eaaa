import { describe, expect, it } from 'vitest';
import { consistency } from '../../src/collect/consistency.ts';
import { ok } from '../../src/kernel/result.ts';
import type { CheckResult } from '../../src/model/node.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollEnd, pollOnce } from '../support/poll-results.ts';

const synced: CheckResult = {
  check: 'data_consistency',
  graph: '',
  partition: '1',
  engine: '',
  passed: true,
  unsynced: 0,
  durationMillis: 90_500,
  endedAt: 1_790_000_000_000,
};
const behind: CheckResult = {
  ...synced,
  check: 'deleted_vertex',
  partition: '',
  engine: 'GPE_1_1',
  passed: false,
  unsynced: 3,
  durationMillis: 1000,
  endedAt: 1_790_000_001_000,
};
const data = 'check="data_consistency",graph="",partition="1",engine=""';
const vertices = 'check="deleted_vertex",graph="",partition="",engine="GPE_1_1"';
const wholeData = 'check="data_consistency",graph="",partition="",engine=""';
const wholeVertices = 'check="deleted_vertex",graph="",partition="",engine=""';

const dataLines = [
  `graphdb_check_last_run_timestamp_seconds{${wholeData}} 1790000000`,
  `graphdb_check_duration_seconds{${wholeData}} 90.5`,
  `graphdb_check_passed{${data}} 1`,
  `graphdb_check_unsynced_entries{${data}} 0`,
];

describe('consistency', () => {
  it('runs one check after the other, and shows results, time and duration', async () => {
    const { error, lines, calls } = await pollOnce(consistency, {
      dataConsistency: ok([synced]),
      deletedVertices: ok([behind]),
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['dataConsistency', 'deletedVertices']);
    expect(lines).toEqual([
      ...dataLines,
      `graphdb_check_last_run_timestamp_seconds{${wholeVertices}} 1790000001`,
      `graphdb_check_duration_seconds{${wholeVertices}} 1`,
      `graphdb_check_passed{${vertices}} 0`,
      `graphdb_check_unsynced_entries{${vertices}} 3`,
    ]);
  });

  it('exposes the result of one check if the other fails', async () => {
    const second = await pollOnce(consistency, { dataConsistency: ok([synced]), deletedVertices: failed('timeout') });
    expect(second).toMatchObject({ error: { reason: 'timeout' }, lines: dataLines });
    const first = await pollOnce(consistency, { dataConsistency: failed('auth'), deletedVertices: ok([behind]) });
    expect(first.error?.reason).toBe('auth');
    expect(first.lines).toContain(`graphdb_check_passed{${vertices}} 0`);
  });

  it('exposes no samples if neither check ran, so that the last results remain', async () => {
    const none = await pollOnce(consistency, { dataConsistency: failed('auth'), deletedVertices: failed('auth') });
    expect(none).toMatchObject({ error: { reason: 'auth' }, lines: [] });
    expect(consistency.metrics.every((metric) => metric.keep)).toBe(true);
  });

  it('has the time of a check without a result', async () => {
    const { lines } = await pollOnce(consistency, { dataConsistency: ok([]), deletedVertices: ok([]) });
    expect(lines).toEqual([
      `graphdb_check_last_run_timestamp_seconds{${wholeData}} ${pollEnd.wall / 1000}`,
      `graphdb_check_last_run_timestamp_seconds{${wholeVertices}} ${pollEnd.wall / 1000}`,
    ]);
  });

  it('shows each verdict once', async () => {
    const { lines } = await pollOnce(consistency, {
      dataConsistency: ok([synced, { ...synced, passed: false }, { ...synced, partition: '2' }]),
      deletedVertices: ok([]),
    });
    expect(lines.filter((line) => line.startsWith('graphdb_check_passed'))).toEqual([
      `graphdb_check_passed{${data}} 1`,
      `graphdb_check_passed{${data.replace('"1"', '"2"')}} 1`,
    ]);
  });

  it('runs on a schedule and is disabled by default', () => {
    expect(consistency.defaults).toMatchObject({ enabled: false, schedule: '0 3 * * SUN' });
  });
});
