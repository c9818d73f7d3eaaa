import { describe, expect, it } from 'vitest';
import { ClusterTrackers } from '../../../src/app/incidents/cluster-trackers.ts';
import type { Store } from '../../../src/kernel/store.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { serviceState, settings, trackingStart } from '../../track/tracking-harness.ts';

function at(seconds: number): Instant {
  return { wall: trackingStart + seconds * 1000, mono: seconds * 1000 };
}

/** Tracks clusters of which each reports this status of its engine twice. */
async function following(status: string, clusters: readonly string[], store: Store = memoryStore()) {
  const trackers = new ClusterTrackers(store);
  await trackers.configure(clusters, settings, at(0));
  for (const cluster of clusters) {
    for (const seconds of [5, 10]) await settle(trackers, { cluster, status, seconds, store });
  }
  return { trackers, store };
}

interface Reported {
  readonly cluster: string;
  readonly status: string;
  readonly seconds: number;
  readonly store: Store;
}

async function settle(trackers: ClusterTrackers, { cluster, status, seconds, store }: Reported): Promise<number> {
  const input = { kind: 'states', source: 'm1', states: [serviceState(status)], interval: 5000 } as const;
  const outputs = trackers.step(cluster, input, at(seconds));
  await store.commit(outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : [])));
  return outputs.length;
}

function hardOf(trackers: ClusterTrackers, cluster: string): string | undefined {
  return trackers.tracked(cluster).replicas[0]?.confirmed;
}

describe('the trackers of several clusters', () => {
  it('track each cluster separately', async () => {
    const { trackers, store } = await following('Online', ['one', 'other']);
    for (const seconds of [15, 20]) await settle(trackers, { cluster: 'one', status: 'Down', seconds, store });
    expect([hardOf(trackers, 'one'), hardOf(trackers, 'other')]).toEqual(['Down', 'Online']);
    expect(trackers.tracked('one').partitions[0]).toMatchObject({ cluster: 'one', online: 0 });
  });

  it('show their samples', async () => {
    const { trackers } = await following('Online', ['one']);
    const names = [...trackers.samples('one', at(10))].map(({ metric }) => metric.name);
    expect(names).toContain('graphdb_partition_online_replicas');
  });

  it('have the same list of samples without a change', async () => {
    const { trackers, store } = await following('Online', ['one']);
    const before = trackers.samples('one', at(10));
    trackers.step('one', { kind: 'tick' }, at(11));
    expect(trackers.samples('one', at(11))).toBe(before);
    await settle(trackers, { cluster: 'one', status: 'Online', seconds: 15, store });
    expect(trackers.samples('one', at(15))).not.toBe(before);
  });

  it('ignore a cluster that is not followed', async () => {
    const { trackers, store } = await following('Online', ['one']);
    expect(await settle(trackers, { cluster: 'unknown', status: 'Down', seconds: 5, store })).toBe(0);
    expect(trackers.tracked('unknown')).toEqual({ replicas: [], partitions: [] });
    expect(trackers.samples('unknown', at(5))).toEqual([]);
  });

  it('continue for remaining clusters, with the current settings', async () => {
    const { trackers, store } = await following('Online', ['one']);
    await trackers.configure(['one', 'new'], { ...settings, confirm: 1 }, at(12));
    expect(trackers.tracked('one').replicas[0]).toMatchObject({ observed: 'Online', confirmed: 'Online' });
    await settle(trackers, { cluster: 'one', status: 'Down', seconds: 15, store });
    expect(hardOf(trackers, 'one')).toBe('Down');
  });

  it('drop a removed cluster, and restore it from the store when it returns', async () => {
    const { trackers } = await following('Down', ['one']);
    await trackers.configure([], settings, at(60));
    expect(trackers.tracked('one').replicas).toEqual([]);
    await trackers.configure(['one'], settings, at(120));
    expect(trackers.tracked('one').replicas[0]).toMatchObject({ observed: 'unobserved', confirmed: 'Down' });
  });

  it('continue from the stored state', async () => {
    const { store } = await following('Down', ['one']);
    const again = new ClusterTrackers(store);
    await again.configure(['one'], settings, at(600));
    expect(hardOf(again, 'one')).toBe('Down');
    expect(await settle(again, { cluster: 'one', status: 'Down', seconds: 605, store })).toBeGreaterThan(0);
    const transitions = await store.find({ table: 'transitions', order: ['at'] });
    const story = transitions.ok ? transitions.value.map(({ to_status: to }) => to) : [];
    expect(story).toEqual(['Down', 'unobserved', 'Down']);
  });
});
