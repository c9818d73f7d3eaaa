import { describe, expect, it } from 'vitest';
import { newReplica, type TrackedReplica } from '../../src/track/replica.ts';
import { viewsOf } from '../../src/track/views.ts';
import { serviceState, TrackingHarness, trackingStart } from './tracking-harness.ts';

function replicas(...those: readonly Partial<TrackedReplica>[]) {
  const all = those.map((own, at) => {
    const id = { service: 'GPE', partition: '1', replica: String(at + 1) };
    return [String(at), { ...newReplica(id, { wall: trackingStart, mono: 0 }), ...own }] as const;
  });
  return { replicas: new Map(all), unobservedSince: undefined, partitions: new Map() };
}

function online(...those: readonly Partial<TrackedReplica>[]): number | undefined {
  return viewsOf(replicas(...those), 'prod').partitions[0]?.online;
}

const up = { observed: 'Online', confirmed: 'Online' };
const down = { observed: 'Down', confirmed: 'Down' };
const hidden = { observed: 'unobserved', confirmed: 'Online' };

describe('the view of a replica', () => {
  it('has its cluster, and no internal fields', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online', 'Down');
    expect(tracking.view()).toEqual({
      cluster: 'prod',
      service: 'GPE',
      partition: '1',
      replica: '1',
      observed: 'Down',
      observedSince: trackingStart + 15_000,
      confirmed: 'Online',
      confirmedSince: trackingStart + 5000,
      flapping: false,
      process: 'Running',
      disputed: false,
    });
  });
});

describe('the view after a failed poll', () => {
  const unobservedSince = { wall: trackingStart + 7, mono: 7 };

  it('shows no status from the first failure on', () => {
    const views = viewsOf({ ...replicas({ ...up, isDisputed: true }, down), unobservedSince }, 'prod');
    expect(
      views.replicas.map(({ observed, observedSince, confirmed }) => [observed, observedSince, confirmed]),
    ).toEqual([
      ['unobserved', trackingStart + 7, 'Online'],
      ['unobserved', trackingStart + 7, 'Down'],
    ]);
    expect(views.replicas[0]?.disputed).toBe(false);
    expect(views.partitions[0]?.online).toBeUndefined();
  });

  it('keeps replicas that were already unobserved', () => {
    const { replicas: views } = viewsOf({ ...replicas(hidden), unobservedSince }, 'prod');
    expect(views[0]?.observedSince).toBe(trackingStart);
  });
});

describe('the view of a partition', () => {
  it('counts replicas by their confirmed status', () => {
    expect(online(up, up, down)).toBe(2);
    expect(online(down, { observed: 'absent', confirmed: 'absent' })).toBe(0);
    expect(online({ observed: 'Down', confirmed: 'Online' })).toBe(1);
    expect(online({ observed: 'Online', confirmed: 'Down' })).toBe(0);
  });

  it('counts observed replicas only, and is absent without one', () => {
    expect(online(up, hidden)).toBe(1);
    expect(online(down, hidden)).toBe(0);
    expect(online(hidden, hidden)).toBeUndefined();
  });

  it('is absent before the first status is confirmed', () => {
    expect(new TrackingHarness().pollStatuses('Online').view().confirmed).toBe('unobserved');
    expect(online({ observed: 'Online', confirmed: 'unobserved' })).toBeUndefined();
    expect(online(down, { observed: 'Online', confirmed: 'unobserved' })).toBe(0);
  });

  it('is one for each service and partition, in the order of the replicas', () => {
    const tracking = new TrackingHarness();
    const states = [
      serviceState('Online'),
      serviceState('Online', { partition: '2' }),
      serviceState('Down', { replica: '2' }),
      serviceState('Online', { service: 'RESTPP', partition: '' }),
    ];
    tracking.pollStates(states);
    tracking.pollStates(states);
    const recent = { unavailableRatio: 0, outages: 0 };
    expect(viewsOf(tracking.state, 'prod').partitions).toEqual([
      { cluster: 'prod', service: 'GPE', partition: '1', replicas: 2, online: 1, recent },
      { cluster: 'prod', service: 'GPE', partition: '2', replicas: 1, online: 1, recent },
      { cluster: 'prod', service: 'RESTPP', partition: '', replicas: 1, online: 1, recent },
    ]);
  });
});
