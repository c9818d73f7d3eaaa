import { describe, expect, it } from 'vitest';
import {
  currentSchemaVersion,
  type MigrationSteps,
  migrate,
  migrations,
  openInMemoryDatabase,
  schemaMismatch,
  schemaVersionOf,
} from '../../../src/runtime/store/migrations.ts';
import { note, noteTables } from './notes.ts';

const later = ["ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'unknown'"];

describe('a migration', () => {
  it('creates the tables in an empty database', () => {
    const database = openInMemoryDatabase();
    expect(schemaVersionOf(database)).toBe(currentSchemaVersion);
    expect(database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")).toContain('transitions');
    expect(
      database.texts("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0"),
    ).toEqual(['sqlite_schema']);
  });

  it('continues from the version of the database, and keeps its rows', () => {
    const database = openInMemoryDatabase([noteTables]);
    database.commit([[note('1', 'a')]]);
    migrate(database, [noteTables, later, ['CREATE INDEX notes_by_author ON notes (author)']]);
    expect(schemaVersionOf(database)).toBe(3);
    expect(database.find({ table: 'notes' })).toEqual([{ id: '1', text: 'a', rank: null, author: 'unknown' }]);
    migrate(database, [noteTables, later, []]);
    expect(schemaVersionOf(database)).toBe(3);
  });

  it('applies all steps or no step', () => {
    const database = openInMemoryDatabase([noteTables]);
    const broken = ['CREATE TABLE extra (id TEXT) STRICT', 'CREATE NONSENSE'];
    expect(() => migrate(database, [noteTables, later, broken])).toThrow('syntax error');
    expect(schemaVersionOf(database)).toBe(1);
    expect(database.texts("SELECT name FROM sqlite_schema WHERE name = 'extra'")).toEqual([]);
  });
});

/** The version of a new database in memory, its objects, its columns, and the number of rows of each table. */
function partsOf(steps: MigrationSteps) {
  const database = openInMemoryDatabase(steps);
  const tables = database.texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  return {
    version: schemaVersionOf(database),
    objects: database.texts('SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY type, name'),
    columns: tables.map((table) => database.rows(`PRAGMA table_xinfo(${table})`)),
    rows: tables.map((table) => database.number(`SELECT count(*) FROM ${table}`)),
  };
}

describe('further in-memory databases', () => {
  it('have the tables, the version and the rows of the first, which ran every step', () => {
    const steps = [...migrations];
    const first = partsOf(steps);
    expect(first.objects.length).toBeGreaterThan(30);
    expect(partsOf(steps)).toEqual(first);
  });
});

describe('schemaMismatch', () => {
  it('is undefined for every version that this program migrates', () => {
    const database = openInMemoryDatabase([noteTables]);
    expect(schemaMismatch(database, [noteTables])).toBeUndefined();
    expect(schemaMismatch(database, [noteTables, later])).toBeUndefined();
    expect(schemaMismatch(openInMemoryDatabase([]), [noteTables, later])).toBeUndefined();
    expect(schemaVersionOf(database)).toBe(1);
  });

  it('names a column that is missing after the migration', () => {
    const other = openInMemoryDatabase([['CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT', ...noteTables.slice(1)]]);
    expect(schemaMismatch(other, [noteTables])).toBe('no column notes.text');
  });

  it('names the statement that fails', () => {
    expect(schemaMismatch(openInMemoryDatabase([[]]), [noteTables, later])).toBe('no such table: notes');
  });
});
