import { describe, expect, it } from 'vitest';
import type { Store, StoreChange } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { restoreTracker } from '../../src/track/restore.ts';
import { parseTransition } from '../../src/track/rows.ts';
import { viewsOf } from '../../src/track/views.ts';
import { serviceState, TrackingHarness, trackingStart } from './tracking-harness.ts';

const minute = 60_000;

/** Everything that a tracker wanted to have stored. */
function changesOf({ outputs }: TrackingHarness): readonly StoreChange[] {
  return outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : []));
}

async function committed(store: Store, tracking: TrackingHarness): Promise<void> {
  expect(await store.commit(changesOf(tracking))).toEqual({ ok: true, value: undefined });
}

/** A new process on what the old one left. */
async function restarted(store: Store, wall: number): Promise<TrackingHarness> {
  const at = { wall, mono: 7 };
  return new TrackingHarness({}, await restoreTracker('prod', store, at), at);
}

async function timeline(store: Store): Promise<readonly string[]> {
  const rows = await store.find({ table: 'transitions', order: ['at'] });
  const found = rows.ok ? rows.value.map(parseTransition) : expect.fail(rows.error);
  return found.map((one) => `${(one?.at ?? 0) - trackingStart} ${one?.from} > ${one?.to}`);
}

describe('a restored tracker', () => {
  it('repeats no transition, and marks the gap since its last observation', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses('Online', 'Online', 'Down', 'Down'));
    const second = await restarted(store, trackingStart + 10 * minute);
    expect(second.view()).toMatchObject({
      observed: 'unobserved',
      confirmed: 'Down',
      confirmedSince: trackingStart + 15_000,
    });
    second.pollStatuses('Down', 'Down', 'Down');
    expect(second.confirmedTransitions).toEqual([]);
    expect(second.observedTransitions).toEqual(['Down > unobserved', 'unobserved > Down']);
    await committed(store, second);
    expect(await timeline(store)).toEqual([
      '5000  > Online',
      '15000 Online > Down',
      '15001 Down > unobserved',
      '605000 unobserved > Down',
    ]);
  });

  it('marks the gap from the last heartbeat if that is later than the last change', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses(...Array.from({ length: 10 }, () => 'Online')));
    const second = (await restarted(store, trackingStart + 10 * minute)).pollStatuses('Online');
    expect(second.transitions[0]).toMatchObject({ at: trackingStart + 35_000, from: 'Online', to: 'unobserved' });
  });

  it('finds changes since the stop', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses('Online', 'Online'));
    const second = (await restarted(store, trackingStart + minute)).pollStatuses('Down', 'Down');
    expect(second.confirmedTransitions).toEqual(['Online > Down']);
  });

  it('repeats its outputs if it crashed before they were stored', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses('Online', 'Online'));
    const once = (await restarted(store, trackingStart + minute)).pollStatuses('Online');
    const twice = (await restarted(store, trackingStart + 2 * minute)).pollStatuses('Online');
    expect(twice.transitions[0]).toEqual(once.transitions[0]);
  });

  it('has a gap and no confirmed transition after each of a hundred restarts', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses('Down', 'Down'));
    for (let life = 1; life <= 100; life += 1) {
      const tracking = await restarted(store, trackingStart + life * minute);
      tracking.pollStatuses('Down', 'Down');
      expect(tracking.confirmedTransitions).toEqual([]);
      await committed(store, tracking);
    }
    expect(await timeline(store)).toHaveLength(201);
  });

  it('continues to count transitions, and restarts the count of time', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses('Online', 'Online', 'Down', 'Online', 'Down'));
    const second = (await restarted(store, trackingStart + minute)).pollStatuses('Down', 'Online');
    expect(second.shown('graphdb_service_transitions_total', { to: 'Down' })).toBe(3);
    expect(second.shown('graphdb_service_transitions_total', { to: 'Online' })).toBe(3);
    expect(second.shown('graphdb_service_transitions_total', { to: 'unobserved' })).toBe(0);
    expect(second.shown('graphdb_service_observed_seconds_total')).toBe(5);
    expect(second.pass(60_000).shown('graphdb_service_transitions_total', { to: 'unobserved' })).toBe(1);
  });

  it('continues to flap', async () => {
    const store = memoryStore();
    const first = new TrackingHarness();
    for (let time = 0; time < 20; time += 1) first.pollStatuses('Online', 'Down');
    await committed(store, first);
    const second = (await restarted(store, trackingStart + 10 * minute)).pollStatuses('Down', 'Online');
    expect(second.flappings).toEqual([]);
    expect(second.view().flapping).toBe(true);
    second.pollStatuses(...Array.from({ length: 21 }, () => 'Online'));
    expect(second.flappings).toEqual([false]);
  });

  it('keeps the last source, and the lag of other sources', async () => {
    const store = memoryStore();
    const first = new TrackingHarness();
    first.pollStates([serviceState('Down', { timestampNs: '1790000000000000009' })], 'm1');
    first.pollStates([serviceState('Down', { timestampNs: '1790000000000000009' })], 'm1');
    await committed(store, first);
    const second = await restarted(store, trackingStart + minute);
    second.pollStates([serviceState('Online', { timestampNs: '1790000000000000001' })], 'm2');
    expect(second.view()).toMatchObject({ observed: 'unobserved', confirmed: 'Down' });
    second.pollStates([serviceState('Online', { timestampNs: '1790000000000000010' })], 'm2');
    expect(second.view().observed).toBe('Online');
  });

  it('drops replicas in time that were already missing', async () => {
    const store = memoryStore();
    const first = new TrackingHarness().pollStatuses('Online', 'Online');
    for (let time = 0; time < 3; time += 1) first.pollStates([]);
    await committed(store, first);
    const second = await restarted(store, trackingStart + 86_400_000);
    second.pollStates([]);
    expect(second.views).toHaveLength(1);
    second.pass(minute).pollStates([]);
    expect(second.views).toEqual([]);
    await committed(store, second);
    expect(viewsOf(await restoreTracker('prod', store, second.now), 'prod').replicas).toEqual([]);
    expect(await store.count({ table: 'tracker_counts' })).toEqual({ ok: true, value: 0 });
    expect((await timeline(store)).at(-1)).toMatch(/absent > $/);
  });
});

describe('restored state', () => {
  it('is that of the cluster only', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses('Online'));
    expect((await restoreTracker('other', store, { wall: trackingStart, mono: 0 })).replicas.size).toBe(0);
  });

  it('is empty from a new or unreadable store', async () => {
    const store = memoryStore();
    const now = { wall: trackingStart, mono: 0 };
    expect((await restoreTracker('prod', store, now)).pendingOutputs).toEqual([]);
    await store.close();
    expect((await restoreTracker('prod', store, now)).replicas.size).toBe(0);
  });

  it('excludes invalid rows', async () => {
    const store = memoryStore();
    const tracking = new TrackingHarness();
    tracking.pollStates([serviceState('Online'), serviceState('Online', { replica: '2' })]);
    const spoiled = changesOf(tracking).map((change) =>
      'put' in change && change.table === 'tracker_replicas' && change.put.replica === '2'
        ? { ...change, put: { ...change.put, changes: 'maybe' } }
        : change,
    );
    await store.commit(spoiled);
    const second = await restarted(store, trackingStart + minute);
    expect(second.views.map(({ replica }) => replica)).toEqual(['1']);
  });

  it('has times in the past, even if the clock was set back', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses(...Array.from({ length: 10 }, () => 'Online')));
    const second = (await restarted(store, trackingStart + 20_000)).pollStatuses('Online');
    expect(second.transitions.map(({ at }) => at - trackingStart)).toEqual([20_000, 25_000]);
  });

  it('is reported once', async () => {
    const store = memoryStore();
    await committed(store, new TrackingHarness().pollStatuses('Online', 'Online'));
    const second = await restarted(store, trackingStart + minute);
    expect(second.step({ kind: 'tick' }).map(({ kind }) => kind)).toContain('transition');
    expect(second.step({ kind: 'tick' })).toEqual([]);
  });
});
