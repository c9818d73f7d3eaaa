import { readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Retention, Store } from '../../../src/kernel/store.ts';
import { lockFolder } from '../../../src/runtime/store/state-directory.ts';
import { openStateFile } from '../../../src/runtime/store/state-file.ts';
import { openStore } from '../../../src/runtime/store/thread-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const entry = new URL('./threads.ts', import.meta.url);
const open = openStore((role) => workerThread(entry, role));

async function opened(folder: string, retention: Retention = generous): Promise<Store> {
  const store = await open({ folder, retention });
  if (!store.ok) throw new Error(store.error.message);
  onTestFinished(() => store.value.close());
  return store.value;
}

describe('a store on disk', () => {
  it('finds rows that were committed before it was closed', async () => {
    const folder = temporaryStateDir();
    const first = await opened(folder);
    expect(first).toMatchObject({ durable: true, problem: undefined, wasRecreated: false });
    expect(await first.commit([note('1', 'a', 7)])).toEqual({ ok: true, value: undefined });
    await first.close();
    const second = await opened(folder);
    expect(second).toMatchObject({ durable: true, problem: undefined, wasRecreated: false });
    expect(await second.find({ table: 'notes' })).toEqual({ ok: true, value: [{ id: '1', text: 'a', rank: 7 }] });
  });

  it('commits in the order of calls, and reads afterwards', async () => {
    const store = await opened(temporaryStateDir());
    const commits = [store.commit([note('1', 'a')]), store.commit([note('1', 'b')])];
    const between = store.find({ table: 'notes' });
    const last = store.commit([note('1', 'c')]);
    expect(await between).toMatchObject({ value: [{ text: 'c' }] });
    await Promise.all([...commits, last]);
    expect(await store.find({ table: 'notes' })).toMatchObject({ value: [{ text: 'c' }] });
    expect(await store.count({ table: 'notes' })).toEqual({ ok: true, value: 1 });
  });

  it('is refused to a second one, until the first ends', async () => {
    const folder = temporaryStateDir();
    const first = await opened(folder);
    expect(await open({ folder, retention: generous })).toEqual({
      ok: false,
      error: { kind: 'locked', message: `another daemon uses the state directory '${folder}'` },
    });
    await first.close();
    expect((await opened(folder)).durable).toBe(true);
  });

  it('that is rejected for its version releases the folder', async () => {
    const folder = temporaryStateDir();
    const newer = openStateFile(folder, { steps: [noteTables, []] });
    if (newer.ok) newer.value.database.close();
    expect(await open({ folder, retention: generous })).toMatchObject({ ok: false, error: { kind: 'newer' } });
    expect(readdirSync(folder).toSorted()).toEqual(['lock', 'state.db']);
    lockFolder(folder).release();
  });

  it('is in memory without a folder, with all operations', async () => {
    const store = await open({ retention: generous });
    if (!store.ok) throw new Error(store.error.message);
    expect(store.value).toMatchObject({ durable: true, problem: undefined, wasRecreated: false });
    expect(await store.value.commit([{ table: 'transitions', drop: {} }])).toEqual({ ok: true, value: undefined });
    expect(await store.value.find({ table: 'transitions' })).toEqual({ ok: true, value: [] });
  });

  it('is in memory if its thread cannot start, and reports it', async () => {
    const stopped: string[] = [];
    const broken = {
      request: async () => Promise.reject(new Error('no memory for a thread')),
      stop: async () => void stopped.push('stopped'),
    };
    const store = await openStore(() => broken)({ folder: temporaryStateDir(), retention: generous });
    expect(store).toMatchObject({
      ok: true,
      value: { durable: false, problem: 'the state is kept only in memory: no memory for a thread' },
    });
    expect(stopped).toEqual(['stopped']);
  });
});
