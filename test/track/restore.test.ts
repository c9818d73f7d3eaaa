import { describe, expect, it } from 'vitest';
import type { Change, Store } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { restoreTracker } from '../../src/track/restore.ts';
import { transitionOf } from '../../src/track/rows.ts';
import { viewsOf } from '../../src/track/views.ts';
import { start, Tracking, told } from './tracking.ts';

const minute = 60_000;

/** Everything that a tracker wanted to have stored. */
function changesOf({ outputs }: Tracking): readonly Change[] {
  return outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : []));
}

async function committed(store: Store, tracking: Tracking): Promise<void> {
  expect(await store.commit(changesOf(tracking))).toEqual({ ok: true, value: undefined });
}

/** A new process on what the old one left. */
async function reborn(store: Store, wall: number): Promise<Tracking> {
  const at = { wall, mono: 7 };
  return new Tracking({}, await restoreTracker('prod', store, at), at);
}

async function timeline(store: Store): Promise<readonly string[]> {
  const rows = await store.find({ table: 'transitions', order: ['at'] });
  const found = rows.ok ? rows.value.map(transitionOf) : expect.fail(rows.error);
  return found.map((one) => `${(one?.at ?? 0) - start} ${one?.from} > ${one?.to}`);
}

describe('a tracker that begins again', () => {
  it('announces nothing twice, and marks the gap since it last observed', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says('Online', 'Online', 'Down', 'Down'));
    const second = await reborn(store, start + 10 * minute);
    expect(second.view()).toMatchObject({ observed: 'unobserved', hard: 'Down', hardSince: start + 15_000 });
    second.says('Down', 'Down', 'Down');
    expect(second.hardStory).toEqual([]);
    expect(second.story).toEqual(['Down > unobserved', 'unobserved > Down']);
    await committed(store, second);
    expect(await timeline(store)).toEqual([
      '5000  > Online',
      '15000 Online > Down',
      '15001 Down > unobserved',
      '605000 unobserved > Down',
    ]);
  });

  it('marks it from the last heartbeat where that is later than the last change', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says(...Array.from({ length: 10 }, () => 'Online')));
    const second = (await reborn(store, start + 10 * minute)).says('Online');
    expect(second.transitions[0]).toMatchObject({ at: start + 35_000, from: 'Online', to: 'unobserved' });
  });

  it('finds what changed meanwhile', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says('Online', 'Online'));
    const second = (await reborn(store, start + minute)).says('Down', 'Down');
    expect(second.hardStory).toEqual(['Online > Down']);
  });

  it('says the same again where it dies before anything was stored', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says('Online', 'Online'));
    const once = (await reborn(store, start + minute)).says('Online');
    const twice = (await reborn(store, start + 2 * minute)).says('Online');
    expect(twice.transitions[0]).toEqual(once.transitions[0]);
  });

  it('a hundred times has as many gaps, and not one hard change', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says('Down', 'Down'));
    for (let life = 1; life <= 100; life += 1) {
      const tracking = await reborn(store, start + life * minute);
      tracking.says('Down', 'Down');
      expect(tracking.hardStory).toEqual([]);
      await committed(store, tracking);
    }
    expect(await timeline(store)).toHaveLength(201);
  });

  it('goes on counting transitions, and begins to count time', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says('Online', 'Online', 'Down', 'Online', 'Down'));
    const second = (await reborn(store, start + minute)).says('Down', 'Online');
    expect(second.shown('graphdb_service_transitions_total', { to: 'Down' })).toBe(3);
    expect(second.shown('graphdb_service_transitions_total', { to: 'Online' })).toBe(3);
    expect(second.shown('graphdb_service_transitions_total', { to: 'unobserved' })).toBe(1);
    expect(second.shown('graphdb_service_observed_seconds_total')).toBe(5);
  });

  it('goes on flapping', async () => {
    const store = memoryStore();
    const first = new Tracking();
    for (let time = 0; time < 20; time += 1) first.says('Online', 'Down');
    await committed(store, first);
    const second = (await reborn(store, start + 10 * minute)).says('Down', 'Online');
    expect(second.flappings).toEqual([]);
    expect(second.view().flapping).toBe(true);
    second.says(...Array.from({ length: 21 }, () => 'Online'));
    expect(second.flappings).toEqual([false]);
  });

  it('still knows who told last, and that others may lag behind', async () => {
    const store = memoryStore();
    const first = new Tracking();
    first.answer([told('Down', { timestampNs: '1790000000000000009' })], 'm1');
    first.answer([told('Down', { timestampNs: '1790000000000000009' })], 'm1');
    await committed(store, first);
    const second = await reborn(store, start + minute);
    second.answer([told('Online', { timestampNs: '1790000000000000001' })], 'm2');
    expect(second.view()).toMatchObject({ observed: 'unobserved', hard: 'Down' });
    second.answer([told('Online', { timestampNs: '1790000000000000010' })], 'm2');
    expect(second.view().observed).toBe('Online');
  });

  it('forgets in time what was missing before already', async () => {
    const store = memoryStore();
    const first = new Tracking().says('Online', 'Online');
    for (let time = 0; time < 3; time += 1) first.answer([]);
    await committed(store, first);
    const second = await reborn(store, start + 86_400_000);
    second.answer([]);
    expect(second.views).toHaveLength(1);
    second.pass(minute).answer([]);
    expect(second.views).toEqual([]);
    await committed(store, second);
    expect(viewsOf(await restoreTracker('prod', store, second.now), 'prod').replicas).toEqual([]);
    expect(await store.count({ table: 'tracker_counts' })).toEqual({ ok: true, value: 0 });
    expect((await timeline(store)).at(-1)).toMatch(/absent > $/);
  });
});

describe('what is restored', () => {
  it('is what the cluster left, and nothing of another', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says('Online'));
    expect((await restoreTracker('other', store, { wall: start, mono: 0 })).replicas.size).toBe(0);
  });

  it('is nothing from a store that is new, or cannot be read', async () => {
    const store = memoryStore();
    const now = { wall: start, mono: 0 };
    expect((await restoreTracker('prod', store, now)).owed).toEqual([]);
    await store.close();
    expect((await restoreTracker('prod', store, now)).replicas.size).toBe(0);
  });

  it('is no row that a schema refuses', async () => {
    const store = memoryStore();
    const tracking = new Tracking();
    tracking.answer([told('Online'), told('Online', { replica: '2' })]);
    const spoiled = changesOf(tracking).map((change) =>
      'put' in change && change.table === 'tracker_replicas' && change.put.replica === '2'
        ? { ...change, put: { ...change.put, changes: 'maybe' } }
        : change,
    );
    await store.commit(spoiled);
    const second = await reborn(store, start + minute);
    expect(second.views.map(({ replica }) => replica)).toEqual(['1']);
  });

  it('lies before now, also where the clock was set back meanwhile', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says(...Array.from({ length: 10 }, () => 'Online')));
    const second = (await reborn(store, start + 20_000)).says('Online');
    expect(second.transitions.map(({ at }) => at - start)).toEqual([20_000, 25_000]);
  });

  it('is owed once', async () => {
    const store = memoryStore();
    await committed(store, new Tracking().says('Online', 'Online'));
    const second = await reborn(store, start + minute);
    expect(second.step({ kind: 'beat' }).map(({ kind }) => kind)).toContain('transition');
    expect(second.step({ kind: 'beat' })).toEqual([]);
  });
});
