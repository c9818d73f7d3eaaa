import type { Database } from './database.ts';

/**
 * Table with the id of the last process that wrote to the database. It belongs to the file and is not part of the schema:
 * rows in memory are newer than those of a file only if no other process has written to the file since.
 */
export const lastWriterTable = 'last_writer';

/** Returns the id of the last process that wrote to the database; undefined for a new one, and for an unreadable one. */
export function lastWriterOf(database: Database): string | undefined {
  try {
    return database.texts(`SELECT id FROM ${lastWriterTable}`)[0];
  } catch {
    return undefined;
  }
}

/** Records the process that writes from now on, in a transaction of the caller. */
export function setLastWriter(database: Database, id: string): void {
  database.run(`CREATE TABLE IF NOT EXISTS ${lastWriterTable} (id TEXT NOT NULL) STRICT`);
  database.apply({ table: lastWriterTable, drop: {} });
  database.apply({ table: lastWriterTable, put: { id } });
}
