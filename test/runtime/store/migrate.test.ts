import { describe, expect, it } from 'vitest';
import { currentVersion, databaseInMemory, migrate, versionOf } from '../../../src/runtime/store/migrate.ts';
import { note, noteTables } from './notes.ts';

const later = ["ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'"];

describe('a migration', () => {
  it('makes the tables of this program in an empty database', () => {
    const database = databaseInMemory();
    expect(versionOf(database)).toBe(currentVersion);
    expect(database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")).toContain('transitions');
    expect(
      database.texts("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0"),
    ).toEqual(['sqlite_schema']);
  });

  it('goes on from where the database is, and keeps its rows', () => {
    const database = databaseInMemory([noteTables]);
    database.commit([[note('1', 'a')]]);
    migrate(database, [noteTables, later, ['CREATE INDEX notes_by_author ON notes (author)']]);
    expect(versionOf(database)).toBe(3);
    expect(database.find({ table: 'notes' })).toEqual([{ id: '1', text: 'a', rank: null, author: 'nobody' }]);
    migrate(database, [noteTables, later, []]);
    expect(versionOf(database)).toBe(3);
  });

  it('does all steps or none', () => {
    const database = databaseInMemory([noteTables]);
    const broken = ['CREATE TABLE extra (id TEXT) STRICT', 'CREATE NONSENSE'];
    expect(() => migrate(database, [noteTables, later, broken])).toThrow('syntax error');
    expect(versionOf(database)).toBe(1);
    expect(database.texts("SELECT name FROM sqlite_schema WHERE name = 'extra'")).toEqual([]);
  });
});
