import { describe, expect, it } from 'vitest';
import { TrackingHarness } from './tracking-harness.ts';

const replica = { service_name: 'GPE', partition: '1', replica: '1' };

describe('counted time', () => {
  it('is the observed time, and the online time in it', () => {
    const tracking = new TrackingHarness()
      .pollStatuses('Online', 'Online', 'Down', 'Down', 'Online')
      .failPoll(5)
      .pollStatuses('Online', 'Online');
    expect(tracking.shown('graphdb_service_observed_seconds_total', replica)).toBe(25);
    expect(tracking.shown('graphdb_service_online_seconds_total', replica)).toBe(15);
  });

  it('excludes time in which the process was suspended', () => {
    const tracking = new TrackingHarness().pollStatuses('Online');
    tracking.pass(3_600_000).pollStatuses('Online');
    expect(tracking.shown('graphdb_service_observed_seconds_total', replica)).toBe(15);
  });
});
