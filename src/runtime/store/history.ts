import type { Retention, Row } from '../../kernel/store.ts';
import type { Database } from './database.ts';
import { lastWriterTable } from './last-writer.ts';
import { migrationsTable } from './migration-records.ts';
import { isReturned } from './tables.ts';

/** A table that only grows, ordered by its column `at` (ms since the epoch). */
interface HistoryTable {
  readonly name: string;
  readonly keep: (retention: Retention) => number;
  /** SQL condition of rows that retention never deletes. */
  readonly keepCondition?: string;
}

/** The query may still run: the row of its intent prevents a second abort. */
const blocksSecondAbort = `NOT EXISTS (
  SELECT 1 FROM guard_outcomes AS result
  WHERE result.cluster = guard_intents.cluster AND result.key = guard_intents.key
    AND (result.outcome IN ('confirmed', 'finished_first', 'vanished') OR ${isReturned('result')})
)`;

/** An outcome is deleted with its intent. An outcome without one belongs to an intent that could not be stored. */
const hasIntent = `EXISTS (
  SELECT 1 FROM guard_intents AS owner
  WHERE owner.cluster = guard_outcomes.cluster AND owner.key = guard_outcomes.key
)`;

const tables: readonly HistoryTable[] = [
  { name: 'transitions', keep: ({ transitions }) => transitions },
  { name: 'guard_intents', keep: ({ audit }) => audit, keepCondition: blocksSecondAbort },
  { name: 'guard_outcomes', keep: ({ audit }) => audit, keepCondition: hasIntent },
  { name: 'guard_actions', keep: ({ audit }) => audit },
  { name: 'notifications', keep: ({ notifications }) => notifications },
];

/** Number of rows per deletion, because other work waits for it. */
const trimBatchSize = 2000;

/** Returns whether the rows of this table are history, which retention deletes. */
export function isHistoryTable(table: string): boolean {
  return tables.some(({ name }) => name === table);
}

/** Returns the rows of a history table that retention never deletes. */
export function retainedRows(database: Database, table: string): readonly Row[] {
  const { keepCondition } = tables.find(({ name }) => name === table) ?? {};
  return keepCondition === undefined ? [] : database.rows(`SELECT * FROM "${table}" WHERE ${keepCondition}`);
}

/** Tables that belong to the file. */
const tablesOfFile: readonly string[] = [lastWriterTable, migrationsTable];

/** The tables of a database with state, without those that belong to the file. */
export function tablesOf(database: Database): readonly string[] {
  return database
    .texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .filter((name) => !tablesOfFile.includes(name));
}

/**
 * Deletes one slice of the rows that are too old, or of the oldest rows if the database is too large. Returns true if
 * more may be left.
 */
export function trimHistory(database: Database, retention: Retention, now: number): boolean {
  const known = tablesOf(database);
  const present = tables.filter(({ name }) => known.includes(name));
  const aged = present.map((table) => deleteBefore(database, table, now - table.keep(retention)));
  const large = databaseBytes(database) > retention.size && deleteOldest(database, present);
  // Free pages are reused; a few of them are not worth a vacuum.
  if (database.number('PRAGMA freelist_count') > trimBatchSize)
    database.run(`PRAGMA incremental_vacuum(${trimBatchSize})`);
  return large || aged.some((count) => count >= trimBatchSize);
}

/** Returns the size of the rows, without free pages. */
export function databaseBytes(database: Database): number {
  const pages = database.number('PRAGMA page_count') - database.number('PRAGMA freelist_count');
  return pages * database.number('PRAGMA page_size');
}

function deleteOldest(database: Database, present: readonly HistoryTable[]): boolean {
  const [oldest] = present
    .map((table) => ({ table, at: oldestTime(database, table) }))
    .toSorted((one, other) => one.at - other.at);
  return oldest !== undefined && oldest.at < 9e15 && deleteBefore(database, oldest.table, 9e15) > 0;
}

function oldestTime(database: Database, { name, keepCondition = 'FALSE' }: HistoryTable): number {
  return database.number(`SELECT coalesce(min(at), 9e15) FROM "${name}" WHERE NOT (${keepCondition})`);
}

/** Returns the number of deleted rows. */
function deleteBefore(database: Database, { name, keepCondition = 'FALSE' }: HistoryTable, before: number): number {
  const may = `NOT (${keepCondition})`;
  const chosen = `SELECT max(at) FROM (SELECT at FROM "${name}" WHERE at < ? AND ${may} ORDER BY at LIMIT ${trimBatchSize})`;
  return database.delete(`DELETE FROM "${name}" WHERE at <= (${chosen}) AND ${may}`, before);
}
