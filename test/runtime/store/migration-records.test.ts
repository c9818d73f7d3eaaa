import { describe, expect, it } from 'vitest';
import { tablesOf } from '../../../src/runtime/store/history.ts';
import { latestMigration, recordMigration } from '../../../src/runtime/store/migration-records.ts';
import { migrate, openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { noteTables } from './notes.ts';

describe('the record of migrations', () => {
  it('names the release that made the latest one, and is not a part of the state', () => {
    const database = openInMemoryDatabase();
    expect(latestMigration(database)).toBeUndefined();
    recordMigration(database, 9, { program: '2.0.0', at: 2 });
    recordMigration(database, 8, { program: '1.0.0', at: 1 });
    expect(latestMigration(database)).toEqual({ program: '2.0.0', at: 2 });
    expect(tablesOf(database)).not.toContain('migrations');
  });

  it('is absent from a database of an earlier version', () => {
    const database = openInMemoryDatabase([noteTables]);
    migrate(database, [noteTables, []], { program: '1.0.0', at: 1 });
    expect(latestMigration(database)).toBeUndefined();
  });

  it('is absent from a database that cannot be read', () => {
    const database = openInMemoryDatabase();
    database.close();
    expect(latestMigration(database)).toBeUndefined();
  });
});
