import { DatabaseSync } from 'node:sqlite';
import { Database } from './database.ts';
import { migrations } from './migrations.ts';

/** The version of the schema that this program works with. */
export const currentVersion = migrations.length;

/** The version that a database has; 0 is an empty one. */
export function versionOf(database: Database): number {
  return database.number('PRAGMA user_version');
}

/** Leads a database to the newest version, by all the steps that are missing or by none. */
export function migrate(database: Database, steps: readonly (readonly string[])[] = migrations): void {
  const version = versionOf(database);
  if (version === steps.length) return;
  database.inTransaction(() => {
    for (const step of steps.slice(version)) database.run(...step);
    database.run(`PRAGMA user_version = ${steps.length}`);
  });
}

/** A database in memory, with all tables. */
export function databaseInMemory(steps: readonly (readonly string[])[] = migrations): Database {
  const database = new Database(new DatabaseSync(':memory:'));
  migrate(database, steps);
  return database;
}
