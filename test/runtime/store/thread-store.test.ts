import { describe, expect, it, onTestFinished } from 'vitest';
import type { CommitPriority } from '../../../src/kernel/store.ts';
import { StateThread } from '../../../src/runtime/store/state-thread.ts';
import { ThreadStore } from '../../../src/runtime/store/thread-store.ts';
import { eventually } from '../../support/child.ts';
import { FakeClock } from '../../support/clock.ts';
import { BreakableThread } from './breakable-thread.ts';
import { note } from './notes.ts';
import { generous } from './retention.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const done = { ok: true, value: undefined };

function notesFrom(first: number) {
  return Array.from({ length: 999 }, (_, index) => note(String(first + index), 'a'));
}

async function opened() {
  const clock = new FakeClock();
  const worker = new BreakableThread();
  const thread = new StateThread(worker, { folder: temporaryStateDir(), retention: generous });
  const { status } = await thread.open();
  const store = new ThreadStore(thread, status, { history: new BreakableThread(), now: () => 0, clock });
  onTestFinished(() => store.close());
  worker.requests.length = 0;
  return { worker, store, clock };
}

describe('a store in another thread', () => {
  it('commits batches together that arrived during a write', async () => {
    const { worker, store } = await opened();
    const release = worker.holdReplies();
    const first = store.commit([note('0', 'a')]);
    await Promise.resolve();
    const rest = Array.from({ length: 9 }, (_, index) => store.commit([note(String(index + 1), 'a')]));
    release();
    expect(await Promise.all([first, ...rest])).toEqual(Array.from({ length: 10 }, () => done));
    expect(worker.requests).toEqual(['commit 1', 'commit 9']);
    expect(await store.count({ table: 'notes' })).toEqual({ ok: true, value: 10 });
  });

  it('does not block callers while the disk hangs, and writes their changes when it responds again', async () => {
    const { worker, store, clock } = await opened();
    const release = worker.holdReplies();
    const late = store.commit([note('1', 'a')]);
    const looked = store.count({ table: 'notes' });
    await clock.advance(9999);
    expect(store.durable).toBe(true);
    await clock.advance(1);
    const stuck = { ok: false, error: 'the disk has not responded for 10 s' };
    expect(await Promise.all([late, looked])).toEqual([stuck, stuck]);
    expect(await store.commit([note('2', 'a')])).toEqual(stuck);
    expect([store.durable, store.problem]).toEqual([false, 'the disk has not responded for 10 s']);
    release();
    expect(await store.commit([note('3', 'a')])).toEqual(stuck);
    await eventually('the disk is back', async () => store.durable);
    expect(await store.count({ table: 'notes' })).toEqual({ ok: true, value: 3 });
    expect(store.problem).toBeUndefined();
  });

  it('limits the size of a group', async () => {
    const { worker, store } = await opened();
    const commits = Array.from({ length: 2500 }, (_, index) => store.commit([note(String(index), 'a')]));
    await Promise.all(commits);
    expect(worker.requests).toEqual(['commit 1000', 'commit 1000', 'commit 500']);
  });

  it('commits urgent batches before those that wait, but never before those that change the same tables', async () => {
    const { worker, store } = await opened();
    const release = worker.holdReplies();
    const order: string[] = [];
    const commit = (name: string, table: string, priority?: CommitPriority) =>
      store.commit([{ table, put: { id: name } }], priority).then(() => order.push(name));
    const held = commit('held', 'notes');
    await Promise.resolve();
    const rest = [
      commit('independent', 'lanes'),
      commit('same table', 'notes'),
      commit('after that', 'lanes'),
      commit('urgent', 'notes', 'urgent'),
      commit('later', 'notes'),
    ];
    release();
    await Promise.all([held, ...rest]);
    expect(order).toEqual(['held', 'same table', 'urgent', 'independent', 'after that', 'later']);
    expect(worker.requests).toEqual(['commit 1', 'commit 2', 'commit 3']);
  });

  it('includes batches on which an urgent batch depends indirectly', async () => {
    const { worker, store } = await opened();
    const release = worker.holdReplies();
    const order: string[] = [];
    const commit = (name: string, tables: readonly string[], priority?: CommitPriority) =>
      store
        .commit(
          tables.map((table) => ({ table, put: { id: name } })),
          priority,
        )
        .then(() => order.push(name));
    const held = commit('held', ['notes']);
    await Promise.resolve();
    const rest = [
      commit('needed', ['lanes']),
      commit('independent', ['episodes']),
      commit('with both', ['lanes', 'notes']),
      commit('urgent', ['notes'], 'urgent'),
    ];
    release();
    await Promise.all([held, ...rest]);
    expect(order).toEqual(['held', 'needed', 'with both', 'urgent', 'independent']);
  });

  it('begins another transaction after many changes', async () => {
    const { worker, store } = await opened();
    await Promise.all([0, 1, 2, 3].map((index) => store.commit(notesFrom(index * 999))));
    expect(worker.requests).toEqual(['commit 2', 'commit 2']);
  });

  it('commits before it reads, with any number of waiting queries', async () => {
    const { worker, store } = await opened();
    const release = worker.holdReplies();
    const before = store.commit([note('1', 'a')]);
    const looks = Array.from({ length: 3 }, () => store.count({ table: 'notes' }));
    await Promise.resolve();
    const after = store.commit([note('2', 'a')]);
    release();
    expect(await Promise.all(looks)).toEqual(looks.map(() => ({ ok: true, value: 2 })));
    expect(await Promise.all([before, after])).toEqual([done, done]);
    expect(worker.requests).toEqual(['commit 1', 'commit 1', 'count', 'count', 'count']);
  });

  it('returns the outcome of each batch of a group', async () => {
    const { store } = await opened();
    const outcomes = await Promise.all([
      store.commit([note('1', 'a')]),
      store.commit([{ table: 'nowhere', put: { id: '1' } }]),
      store.commit([]),
    ]);
    expect(outcomes).toEqual([done, { ok: false, error: 'cannot be stored: no such table: nowhere' }, done]);
  });

  it('reports a failed thread, and recovers with it', async () => {
    const { worker, store } = await opened();
    await store.commit([note('1', 'a')]);
    worker.failNext(1);
    const error = 'the thread of the store failed: it ran out of memory';
    const group = [store.commit([note('2', 'a')]), store.commit([note('3', 'a')])];
    expect(await Promise.all(group)).toEqual([
      { ok: false, error },
      { ok: false, error },
    ]);
    expect(store).toMatchObject({ durable: false, problem: error, wasRecreated: false });
    worker.failNext(1);
    expect(await store.find({ table: 'notes' })).toEqual({ ok: false, error });
    worker.failNext(1);
    expect(await store.count({ table: 'notes' })).toEqual({ ok: false, error });
    expect(await store.commit([note('4', 'a')])).toEqual(done);
    expect(store).toMatchObject({ durable: true, problem: undefined });
    expect(await store.find({ table: 'notes', order: ['id'] })).toMatchObject({ value: [{ id: '1' }, { id: '4' }] });
  });

  it('closes once, after earlier batches, and rejects later ones', async () => {
    const { worker, store } = await opened();
    const last = store.commit([note('1', 'a')]);
    const ends = [store.close(), store.close()];
    const closed = { ok: false, error: 'the store is closed' };
    expect(await store.commit([note('2', 'a')])).toEqual(closed);
    expect(await store.find({ table: 'notes' })).toEqual(closed);
    expect(await store.count({ table: 'notes' })).toEqual(closed);
    expect(await last).toEqual(done);
    await Promise.all(ends);
    expect(worker).toMatchObject({ requests: ['commit 1', 'close'], stopped: 1 });
  });

  it('ends also when its thread is broken', async () => {
    const { worker, store } = await opened();
    worker.failNext(1);
    await store.close();
    expect(worker.stopped).toBe(1);
  });
});
