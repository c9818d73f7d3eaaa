import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoreCondition } from '../../../src/kernel/store.ts';
import { Database } from '../../../src/runtime/store/database.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { note, noteTables } from './notes.ts';

const done = { ok: true, value: undefined };

function notes(): Database {
  return openInMemoryDatabase([noteTables]);
}

function idsOf(database: Database, ...where: readonly StoreCondition[]): readonly unknown[] {
  return database.find({ table: 'notes', where, order: ['rank', 'id'] }).map(({ id }) => id);
}

describe('a group of batches', () => {
  it('rejects an invalid batch as a whole and commits the others', () => {
    const database = notes();
    const bad = { table: 'notes', put: { id: '3', text: null } };
    const outcomes = database.commit([[note('1', 'a')], [note('2', 'b'), bad], [], [note('4', 'd')]]);
    expect(outcomes).toEqual([
      done,
      { ok: false, error: 'cannot be stored: NOT NULL constraint failed: notes.text' },
      done,
      done,
    ]);
    expect(idsOf(database)).toEqual(['1', '4']);
  });

  it.each([
    ['an unknown table', { table: 'nowhere', put: { id: '1' } }, 'no such table: nowhere'],
    ['an unknown column', { table: 'notes', put: { id: '1', what: 1 } }, 'table notes has no column named what'],
    [
      'another type',
      { table: 'notes', put: { id: '1', text: 'a', rank: 'first' } },
      'cannot store TEXT value in INTEGER',
    ],
    ['a fraction', { table: 'notes', put: { id: '1', text: 'a', rank: 1.5 } }, 'cannot store REAL value in INTEGER'],
    ['no row', { table: 'notes', put: {} }, 'syntax error'],
    ['an invalid table name', { table: 'notes; --', drop: {} }, 'is not a valid table or column name'],
  ])('refuses %s', (_, change, complaint) => {
    const database = notes();
    expect(database.commit([[change]])).toEqual([{ ok: false, error: expect.stringContaining(complaint) }]);
    expect(idsOf(database)).toEqual([]);
  });

  it('throws when the disk is full, without a partial write', () => {
    const connection = new DatabaseSync(':memory:');
    for (const table of noteTables) connection.exec(table);
    connection.exec('PRAGMA max_page_count = 40');
    const database = new Database(connection);
    const large = 'x'.repeat(100_000);
    database.commit([[note('1', 'a')]]);
    expect(() => database.commit([[note('2', 'b')], [note('3', large), note('4', large)]])).toThrow(/full/);
    expect(idsOf(database)).toEqual(['1']);
    expect(database.commit([[note('2', 'b')]])).toEqual([done]);
  });
});

describe('a query', () => {
  const database = notes();
  database.commit([[note('a', 'x', 1), note('b', 'y', 2), note('c', 'y', null), note('d', "it's ☃", 2)]]);

  it.each([
    ['=', 2, ['b', 'd']],
    ['=', null, ['c']],
    ['<', 2, ['a']],
    ['<=', 2, ['a', 'b', 'd']],
    ['>', 1, ['b', 'd']],
    ['>=', 1, ['a', 'b', 'd']],
  ] as const)('finds by rank %s %s', (is, value, ids) => {
    expect(idsOf(database, { column: 'rank', is, value })).toEqual(ids);
  });

  it('applies all conditions', () => {
    const where = [
      { column: 'rank', is: '=', value: 2 },
      { column: 'text', is: '=', value: "it's ☃" },
    ] as const;
    expect(idsOf(database, ...where)).toEqual(['d']);
    expect(database.count({ table: 'notes', where })).toBe(1);
  });

  it('orders and paginates', () => {
    const query = { table: 'notes', order: ['-rank', '-id'] };
    const ids = (page: object): readonly unknown[] => database.find({ ...query, ...page }).map(({ id }) => id);
    expect(ids({})).toEqual(['d', 'b', 'a', 'c']);
    expect(ids({ limit: 2 })).toEqual(['d', 'b']);
    expect(ids({ limit: 2, offset: 3 })).toEqual(['c']);
    expect(ids({ offset: 3 })).toEqual(['c']);
    expect(database.count({ ...query, limit: 1 })).toBe(4);
  });

  it('returns stored values of every type unchanged', () => {
    const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(''));
    const rank = fc.oneof(fc.constant(null), fc.maxSafeInteger());
    fc.assert(
      fc.property(cell, cell, rank, (id, text, number) => {
        const fresh = notes();
        expect(fresh.commit([[note(id, text, number)]])).toEqual([done]);
        expect(fresh.find({ table: 'notes' })).toEqual([{ id, text, rank: number === 0 ? 0 : number }]);
        fresh.close();
      }),
      { numRuns: 30 },
    );
  });

  it('returns values of other types as text', () => {
    const foreign = notes();
    foreign.run('CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB)', "INSERT INTO blobs VALUES (1, x'0102')");
    expect(foreign.find({ table: 'blobs' })).toEqual([{ id: 1, bytes: '1,2' }]);
  });
});
