import type { Retention } from '../../kernel/store.ts';
import type { Database } from './database.ts';

/** A table that only grows, ordered by its column `at` (ms since the epoch). */
interface HistoryTable {
  readonly name: string;
  readonly keep: (retention: Retention) => number;
}

const tables: readonly HistoryTable[] = [
  { name: 'transitions', keep: ({ transitions }) => transitions },
  { name: 'audit', keep: ({ audit }) => audit },
  { name: 'notifications', keep: ({ notifications }) => notifications },
];

/** Rows that go at once: other work waits meanwhile. */
const slice = 2000;

/** Whether rows of this table are of the past, and may be let go. */
export function isHistory(table: string): boolean {
  return tables.some(({ name }) => name === table);
}

/** The tables of a database. */
export function tablesOf(database: Database): readonly string[] {
  return database.texts(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
  );
}

/** Lets go a slice of what is too old, or of the oldest where all is too large. True when there may be more to do. */
export function trimHistory(database: Database, retention: Retention, now: number): boolean {
  const present = tables.filter(({ name }) => tablesOf(database).includes(name));
  const aged = present.map(({ name, keep }) => letGo(database, name, now - keep(retention)));
  const large = bytesOf(database) > retention.size && letOldestGo(database, present);
  // Free pages are used again, and few are worth no work.
  if (database.number('PRAGMA freelist_count') > slice) database.run(`PRAGMA incremental_vacuum(${slice})`);
  return large || aged.some((count) => count >= slice);
}

/** What the rows take, without pages that are free. */
export function bytesOf(database: Database): number {
  const pages = database.number('PRAGMA page_count') - database.number('PRAGMA freelist_count');
  return pages * database.number('PRAGMA page_size');
}

function letOldestGo(database: Database, present: readonly HistoryTable[]): boolean {
  const oldest = present
    .map(({ name }) => ({ name, at: database.number(`SELECT coalesce(min(at), 9e15) FROM "${name}"`) }))
    .reduce((first, other) => (other.at < first.at ? other : first), { name: '', at: 9e15 });
  return oldest.name !== '' && letGo(database, oldest.name, 9e15) > 0;
}

/** How many went. */
function letGo(database: Database, table: string, before: number): number {
  const chosen = `SELECT max(at) FROM (SELECT at FROM "${table}" WHERE at < ? ORDER BY at LIMIT ${slice})`;
  return database.delete(`DELETE FROM "${table}" WHERE at <= (${chosen})`, before);
}
