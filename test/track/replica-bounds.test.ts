import { describe, expect, it } from 'vitest';
import { maxReplicas, trackableStates } from '../../src/track/replica.ts';
import { serviceState, TrackingHarness } from './tracking-harness.ts';

const long = 'x'.repeat(100_000);

function crowd(count: number, status = 'Online') {
  return Array.from({ length: count }, (_, at) => serviceState(status, { replica: String(at) }));
}

describe('tracked part of an answer', () => {
  it('is the unchanged answer within the limits', () => {
    const states = crowd(3);
    const kept = trackableStates(states);
    expect(kept).toEqual(states);
    expect(kept[0]).toBe(states[0]);
  });

  it('excludes instances with an invalid name', () => {
    const odd = [
      serviceState('Online', { service: long }),
      serviceState('Online', { partition: long }),
      serviceState('Online', { replica: long }),
    ];
    expect(trackableStates([...odd, serviceState('Down')])).toEqual([serviceState('Down')]);
  });

  it('has truncated long words', () => {
    const [kept] = trackableStates([serviceState(long, { process: long, eventId: long })]);
    expect([kept?.status.length, kept?.process.length, kept?.eventId.length]).toEqual([256, 256, 256]);
  });
});

describe('an answer with more instances than a cluster can have', () => {
  it('is tracked up to the limit, and reports the rest', () => {
    const tracking = new TrackingHarness();
    tracking.pollStates(crowd(maxReplicas + 7));
    expect(tracking.views).toHaveLength(maxReplicas);
    expect(tracking.shown('graphdb_services_untracked')).toBe(7);
  });

  it('keeps the known instances', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    tracking.pollStates([...crowd(maxReplicas).slice(2), serviceState('Down')]);
    expect(tracking.view()).toMatchObject({ observed: 'Down', confirmed: 'Online' });
    tracking.pollStates([serviceState('Down')]);
    expect(tracking.view().confirmed).toBe('Down');
    expect(tracking.shown('graphdb_services_untracked')).toBe(0);
  });
});
