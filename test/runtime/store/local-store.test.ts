import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/kernel/store.ts';
import { LocalStore } from '../../../src/runtime/store/local-store.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';

const done = { ok: true, value: undefined };

function past(id: string, at: number) {
  return { table: 'transitions', put: { id, at, text: null } };
}

function open(problem?: string): Store {
  return new LocalStore(openInMemoryDatabase([noteTables]), { problem });
}

describe('a store in the same thread', () => {
  it('finds put rows, replaces them by primary key, and drops them', async () => {
    const store = open();
    expect(await store.commit([note('1', 'a'), note('2', 'b'), note('1', 'c')])).toEqual(done);
    expect(await store.find({ table: 'notes', order: ['id'] })).toEqual({
      ok: true,
      value: [
        { id: '1', text: 'c', rank: null },
        { id: '2', text: 'b', rank: null },
      ],
    });
    expect(await store.commit([{ table: 'notes', drop: { id: '1' } }])).toEqual(done);
    expect(await store.count({ table: 'notes' })).toEqual({ ok: true, value: 1 });
  });

  it('commits a batch completely, or rejects it', async () => {
    const store = open();
    const outcome = await store.commit([note('1', 'a'), { table: 'notes', put: { id: '2', text: null } }]);
    expect(outcome).toEqual({ ok: false, error: 'cannot be stored: NOT NULL constraint failed: notes.text' });
    expect(await store.count({ table: 'notes' })).toEqual({ ok: true, value: 0 });
  });

  it('returns the error of an invalid query', async () => {
    const store = open();
    expect(await store.find({ table: 'nowhere' })).toEqual({ ok: false, error: 'no such table: nowhere' });
    expect(await store.count({ table: 'a; b' })).toEqual({
      ok: false,
      error: "'a; b' is not a valid table or column name",
    });
  });

  it('is durable unless it reports a problem', () => {
    expect(open()).toMatchObject({ durable: true, problem: undefined, wasRecreated: false });
    expect(open('the disk is full')).toMatchObject({ durable: false, problem: 'the disk is full' });
  });

  it('deletes expired rows from time to time if it has limits', async () => {
    const limits = { retention: { ...generous, transitions: 1000 }, now: () => 3000 };
    const store = new LocalStore(openInMemoryDatabase([noteTables]), { limits });
    await store.commit([past('a', 1), past('b', 2000)]);
    expect(await store.count({ table: 'transitions' })).toMatchObject({ value: 2 });
    for (let commit = 1; commit < 100; commit += 1) await store.commit([]);
    expect(await store.find({ table: 'transitions' })).toMatchObject({ value: [{ id: 'b' }] });
  });

  it('rejects commits after it is closed', async () => {
    const store = open();
    await store.close();
    await store.close();
    const closed = { ok: false, error: 'the store is closed' };
    expect(await store.commit([])).toEqual(closed);
    expect(await store.find({ table: 'notes' })).toEqual(closed);
    expect(await store.count({ table: 'notes' })).toEqual(closed);
  });
});
