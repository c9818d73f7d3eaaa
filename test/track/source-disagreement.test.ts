import { describe, expect, it } from 'vitest';
import { newReplica } from '../../src/track/replica.ts';
import { canCompareSources, compareSources, disagreementGracePeriod } from '../../src/track/source-disagreement.ts';
import type { StatusCode } from '../../src/track/status-codes.ts';
import { serviceState, statusCode, TrackingHarness, trackingStart } from './tracking-harness.ts';

const blank = newReplica({ service: 'GPE', partition: '1', replica: '1' }, { wall: trackingStart, mono: 0 });
const metric = 'graphdb_service_status_disagreement';

/** Both sources, every 15 s, for a while. */
function bothSay(
  tracking: TrackingHarness,
  { status, codes }: { status: string; codes: readonly StatusCode[] },
  seconds: number,
) {
  for (let passed = 0; passed < seconds; passed += 15) {
    tracking.pass(10_000).pollStates([serviceState(status)]);
    tracking.step({ kind: 'codes', codes, interval: 15_000 });
  }
}

describe('disagreement grace period', () => {
  it('is two refreshes of the slower source, at least of the one minute of the server metrics', () => {
    expect(disagreementGracePeriod(5000, 15_000)).toBe(120_000);
    expect(disagreementGracePeriod(5000, 300_000)).toBe(600_000);
    expect(disagreementGracePeriod()).toBe(120_000);
  });
});

describe('comparable sources', () => {
  it.each([
    ['nothing observed', '', 6, false],
    ['not observed', 'unobserved', 6, false],
    ['no code', 'Online', undefined, false],
    ['a code that says unchanged', 'Online', 0, false],
    ['a status and a code', 'Online', 27, true],
    ['an absent replica and a code', 'absent', 6, true],
  ])('%s', (_, observed, reportedCode, comparable) => {
    expect(canCompareSources({ ...blank, observed, reportedCode })).toBe(comparable);
  });

  it('remain the same object without a contradiction', () => {
    const known = { ...blank, observed: 'Online', reportedCode: 6 };
    expect(compareSources(known, { wall: trackingStart, mono: 7 }, 1000)).toBe(known);
  });
});

describe('a contradiction', () => {
  it('is a dispute when it exceeds the grace period', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    bothSay(tracking, { status: 'Online', codes: [statusCode(27)] }, 135);
    expect(tracking.view().disputed).toBe(false);
    expect(tracking.shown(metric)).toBe(0);
    bothSay(tracking, { status: 'Online', codes: [statusCode(27)] }, 15);
    expect(tracking.view().disputed).toBe(true);
    expect(tracking.shown(metric)).toBe(1);
  });

  it('ends when both agree, whichever source changed', () => {
    const tracking = new TrackingHarness();
    bothSay(tracking, { status: 'Online', codes: [statusCode(27)] }, 300);
    bothSay(tracking, { status: 'Online', codes: [statusCode(6)] }, 15);
    expect(tracking.view().disputed).toBe(false);
    bothSay(tracking, { status: 'Down', codes: [statusCode(6)] }, 300);
    expect(tracking.view().disputed).toBe(true);
    tracking.pollStates([serviceState('Online')]);
    expect(tracking.view().disputed).toBe(false);
  });

  it('starts again after every agreement', () => {
    const tracking = new TrackingHarness();
    for (let time = 0; time < 5; time += 1) {
      bothSay(tracking, { status: 'Online', codes: [statusCode(27)] }, 90);
      bothSay(tracking, { status: 'Online', codes: [statusCode(6)] }, 15);
    }
    expect(tracking.view().disputed).toBe(false);
  });

  it('needs both sources: it ends if one has no data', () => {
    const tracking = new TrackingHarness();
    bothSay(tracking, { status: 'Online', codes: [statusCode(27)] }, 300);
    expect(tracking.view().disputed).toBe(true);
    for (let time = 0; time < 10; time += 1) tracking.pollStates([serviceState('Online')]);
    expect(tracking.view().disputed).toBe(false);
    expect(tracking.shown(metric)).toBeUndefined();

    bothSay(tracking, { status: 'Online', codes: [statusCode(27)] }, 300);
    tracking.failPoll();
    expect(tracking.view().disputed).toBe(false);
  });

  it('is absent if a page does not contain the replica', () => {
    const tracking = new TrackingHarness();
    bothSay(tracking, { status: 'Online', codes: [] }, 300);
    expect(tracking.shown(metric)).toBeUndefined();
  });

  it('begins if a replica is missing in replies but present on the page', () => {
    const tracking = new TrackingHarness();
    bothSay(tracking, { status: 'Online', codes: [statusCode(6)] }, 15);
    for (let time = 0; time < 20; time += 1) {
      tracking.pass(5000).pollStates([]);
      tracking.step({ kind: 'codes', codes: [statusCode(6)], interval: 15_000 });
    }
    expect(tracking.view()).toMatchObject({ confirmed: 'absent', disputed: true });
  });

  it('about a replica that no reply contained is not stored', () => {
    const tracking = new TrackingHarness();
    tracking.step({ kind: 'codes', codes: [statusCode(6)], interval: 15_000 });
    expect(tracking.views).toEqual([]);
  });
});
