import { describe, expect, it } from 'vitest';
import { readStore } from '../../../src/runtime/store/local-store.ts';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { openStateFile } from '../../../src/runtime/store/state-file.ts';
import { temporaryStateDir } from './temporary-folder.ts';

describe('a store for reading', () => {
  it('supports queries but no changes', async () => {
    const folder = temporaryStateDir();
    const file = openStateFile(folder, { steps: migrations });
    if (file.ok) file.value.database.close();
    const store = await readStore(folder);
    if (!store.ok) throw new Error(store.error);
    expect(store.value).toMatchObject({ durable: false, problem: 'the state is open read-only' });
    expect(await store.value.find({ table: 'transitions', order: ['-at'] })).toEqual({ ok: true, value: [] });
    expect(await store.value.count({ table: 'transitions' })).toEqual({ ok: true, value: 0 });
    expect(await store.value.commit([{ table: 'transitions', drop: {} }])).toEqual({
      ok: false,
      error: 'the database is read-only',
    });
    await store.value.close();
  });

  it('fails without a state database', async () => {
    expect(await readStore(temporaryStateDir())).toEqual({
      ok: false,
      error: expect.stringMatching(/^cannot read/),
    });
  });
});
