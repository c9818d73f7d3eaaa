import { DatabaseSync } from 'node:sqlite';
import { Database } from './database.ts';
import { migrations } from './migrations.ts';

/** The version of the schema that this program works with. */
export const currentVersion = migrations.length;

/** The version that a database has; 0 is an empty one. */
export function versionOf(database: Database): number {
  return database.number('PRAGMA user_version');
}

/** Leads a database to the newest version, step by step; each step is done as a whole or not at all. */
export function migrate(database: Database, steps: readonly (readonly string[])[] = migrations): void {
  for (let version = versionOf(database); version < steps.length; version += 1) {
    database.inTransaction(() => database.run(...(steps[version] ?? []), `PRAGMA user_version = ${version + 1}`));
  }
}

/** A database in memory, with all tables. */
export function databaseInMemory(steps: readonly (readonly string[])[] = migrations): Database {
  const database = new Database(new DatabaseSync(':memory:'));
  migrate(database, steps);
  return database;
}
