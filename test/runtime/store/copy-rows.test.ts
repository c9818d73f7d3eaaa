import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { mergeRows, replaceRows, saveRows } from '../../../src/runtime/store/copy-rows.ts';
import type { Database } from '../../../src/runtime/store/database.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { action, databaseWith, intent, outcome, outcomes, serials } from './intents.ts';
import { note, noteTables } from './notes.ts';

function transition(id: string, at: number): StoreChange {
  return { table: 'transitions', put: { id, at, text: null } };
}

function filled(...changes: readonly StoreChange[]): Database {
  const database = openInMemoryDatabase([noteTables]);
  database.commit([changes]);
  return database;
}

function ids(database: Database, table: string): readonly unknown[] {
  return database.find({ table, order: ['id'] }).map(({ id }) => id);
}

describe('rows', () => {
  it('are added to the present rows', () => {
    const from = filled(note('1', 'new'), transition('b', 2));
    const to = filled(note('1', 'old'), note('2', 'old'), transition('a', 1));
    mergeRows(from, to);
    expect(to.find({ table: 'notes', order: ['id'] })).toMatchObject([{ text: 'new' }, { text: 'old' }]);
    expect(ids(to, 'transitions')).toEqual(['a', 'b']);
  });

  it('replace rows of state, never rows of history', () => {
    const to = filled(note('1', 'old'), note('2', 'old'), transition('a', 1));
    replaceRows(filled(note('3', 'new'), transition('b', 2)), to);
    expect(ids(to, 'notes')).toEqual(['3']);
    expect(ids(to, 'transitions')).toEqual(['a', 'b']);
  });

  it('of history are copied up to the limit, the newest first', () => {
    const from = filled(...Array.from({ length: 10_500 }, (_, at) => transition(String(at), at)));
    const to = filled();
    expect(saveRows(from, to)).toBe(true);
    expect(to.count({ table: 'transitions' })).toBe(10_000);
    expect(to.find({ table: 'transitions', order: ['at'], limit: 1 })).toMatchObject([{ at: 500 }]);
  });

  it('that cannot be read do not affect others', () => {
    const from = filled(note('1', 'a'), transition('a', 1));
    from.run('DROP TABLE notifications');
    const to = filled();
    expect(saveRows(from, to)).toBe(false);
    expect([ids(to, 'notes'), ids(to, 'transitions')]).toEqual([['1'], ['a']]);
  });

  it('are written completely or not written', () => {
    const from = openInMemoryDatabase([
      noteTables.map((sql) => sql.replaceAll(' NOT NULL', '').replace('text TEXT', 'text ANY')),
    ]);
    from.commit([[note('1', 'a'), { table: 'transitions', put: { id: 'a', at: null } }]]);
    const to = filled(note('2', 'old'));
    expect(() => replaceRows(from, to)).toThrow('NOT NULL');
    expect(ids(to, 'notes')).toEqual(['2']);
  });
});

describe('rows that are written once', () => {
  it.each([mergeRows, replaceRows])('keep their first content, and others are added (case %$)', (copied) => {
    const memory = databaseWith(intent(1, 9), outcome(1, 'unknown'), intent(2), outcome(2, 'withdrawn'), action('b'));
    const disk = databaseWith(intent(1, 5), outcome(1, 'confirmed'), intent(3), action('a'));
    copied(memory, disk);
    expect(serials(disk)).toEqual([1, 2, 3]);
    expect(outcomes(disk)).toEqual({ 1: 'confirmed', 2: 'withdrawn' });
    expect(disk.find({ table: 'guard_intents', order: ['at'], limit: 1 })).toMatchObject([{ at: 5 }]);
    expect(disk.find({ table: 'guard_actions', order: ['uid'] }).map(({ uid }) => uid)).toEqual(['a', 'b']);
  });

  it('are copied with their outcomes, with all exclusions of any age', () => {
    const gone = Array.from({ length: 10_100 }, (_, index) => [
      intent(index + 10, index + 10),
      outcome(index + 10, 'vanished'),
    ]);
    const disk = databaseWith(intent(1, 1), intent(2, 2), outcome(2, 'refused'), ...gone.flat());
    const memory = databaseWith();
    expect(saveRows(disk, memory)).toBe(true);
    expect(serials(memory).slice(0, 3)).toEqual([1, 2, 110]);
    expect(memory.count({ table: 'guard_intents' })).toBe(10_002);
    const open = memory.find({ table: 'guard_aborts', where: [{ column: 'outcome', is: '=', value: null }] });
    expect(open.map(({ at }) => at)).toEqual([1]);
  });
});
