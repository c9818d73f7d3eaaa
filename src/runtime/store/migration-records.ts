import type { Database } from './database.ts';

/**
 * Table of the migrations of a database, with the release that made each. It belongs to the file, and rows of other
 * databases are never copied into it.
 */
export const migrationsTable = 'migrations';

/** Adds the table. Times are ms since the epoch. */
export const migrationRecords = `CREATE TABLE ${migrationsTable} (
  version INTEGER NOT NULL PRIMARY KEY,
  program TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT`;

/** Latest migration of a database. */
export interface MigrationRecord {
  /** Release that made it. */
  readonly program: string;
  readonly at: number;
}

/** Records the migration to a version, in a transaction of the caller, if the database has the table. */
export function recordMigration(database: Database, version: number, { program, at }: MigrationRecord): void {
  if (hasRecords(database)) database.apply({ table: migrationsTable, put: { version, program, at } });
}

/** Returns the latest migration; undefined if the database does not have the table, or is not readable. */
export function latestMigration(database: Database): MigrationRecord | undefined {
  try {
    if (!hasRecords(database)) return undefined;
    const [row] = database.find({ table: migrationsTable, order: ['-version'], limit: 1 });
    return row === undefined ? undefined : { program: String(row.program), at: Number(row.at) };
  } catch {
    return undefined;
  }
}

function hasRecords(database: Database): boolean {
  return (
    database.number(`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '${migrationsTable}'`) === 1
  );
}
