import type { Retention, Row } from '../../kernel/store.ts';
import type { Database } from './database.ts';

/** A table that only grows, ordered by its column `at` (ms since the epoch). */
interface HistoryTable {
  readonly name: string;
  readonly keep: (retention: Retention) => number;
  /** Which rows do not go however old they are, as SQL. */
  readonly stays?: string;
}

/** The query may still run: the row of its intent is what holds it off from a second abort. */
const bars = `NOT EXISTS (
  SELECT 1 FROM guard_outcomes AS told
  WHERE told.cluster = guard_intents.cluster AND told.key = guard_intents.key
    AND told.outcome IN ('confirmed', 'finished_first', 'vanished')
)`;

/** An outcome goes with its intent; those without one are left over from an intent that could not be stored. */
const belongs = `EXISTS (
  SELECT 1 FROM guard_intents AS owner
  WHERE owner.cluster = guard_outcomes.cluster AND owner.key = guard_outcomes.key
)`;

const tables: readonly HistoryTable[] = [
  { name: 'transitions', keep: ({ transitions }) => transitions },
  { name: 'guard_intents', keep: ({ audit }) => audit, stays: bars },
  { name: 'guard_outcomes', keep: ({ audit }) => audit, stays: belongs },
  { name: 'guard_actions', keep: ({ audit }) => audit },
  { name: 'notifications', keep: ({ notifications }) => notifications },
];

/** Rows that go at once: other work waits meanwhile. */
const slice = 2000;

/** Whether rows of this table are of the past, and may be let go. */
export function isHistory(table: string): boolean {
  return tables.some(({ name }) => name === table);
}

/** The rows of the past that do not go. */
export function staying(database: Database, table: string): readonly Row[] {
  const { stays } = tables.find(({ name }) => name === table) ?? {};
  return stays === undefined ? [] : database.rows(`SELECT * FROM "${table}" WHERE ${stays}`);
}

/** The tables of a database. */
export function tablesOf(database: Database): readonly string[] {
  return database.texts(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
  );
}

/** Lets go a slice of what is too old, or of the oldest where all is too large. True when there may be more to do. */
export function trimHistory(database: Database, retention: Retention, now: number): boolean {
  const known = tablesOf(database);
  const present = tables.filter(({ name }) => known.includes(name));
  const aged = present.map((table) => letGo(database, table, now - table.keep(retention)));
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
  const [oldest] = present
    .map((table) => ({ table, at: oldestOf(database, table) }))
    .toSorted((one, other) => one.at - other.at);
  return oldest !== undefined && oldest.at < 9e15 && letGo(database, oldest.table, 9e15) > 0;
}

function oldestOf(database: Database, { name, stays = 'FALSE' }: HistoryTable): number {
  return database.number(`SELECT coalesce(min(at), 9e15) FROM "${name}" WHERE NOT (${stays})`);
}

/** How many went. */
function letGo(database: Database, { name, stays = 'FALSE' }: HistoryTable, before: number): number {
  const may = `NOT (${stays})`;
  const chosen = `SELECT max(at) FROM (SELECT at FROM "${name}" WHERE at < ? AND ${may} ORDER BY at LIMIT ${slice})`;
  return database.delete(`DELETE FROM "${name}" WHERE at <= (${chosen}) AND ${may}`, before);
}
