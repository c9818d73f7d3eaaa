import type { Row } from '../../kernel/store.ts';
import { unmergedRowsTable } from '../../kernel/unmerged-rows.ts';
import type { Database } from './database.ts';
import { isHistoryTable, retainedRows, tablesOf } from './history.ts';
import { counterTables, mergedTables } from './tables.ts';

/** Maximum number of history rows of a table that are copied, in addition to those that retention keeps. */
const maxCopiedHistoryRows = 10_000;

/**
 * Merges the current rows of `from`, and its newest history, into `to`, which has the same tables, in one transaction with
 * `also`. A row of `from` replaces the row of `to` with the same key. In the tables that the application merges, the rows of
 * `to` move to {@link unmergedRowsTable} until the application merges them: it does not know them yet and would overwrite them.
 */
export function mergeRows(from: Database, to: Database, also: () => void = () => undefined): void {
  to.inTransaction(() => {
    for (const table of tablesOf(to)) {
      if (mergedTables.has(table)) setAside(from, to, table);
      if (counterTables.has(table)) copyHigher(from, to, table);
      else copyTable(from, to, table);
    }
    also();
  });
}

/**
 * Replaces the current rows of `to` by those of `from`, and adds the newest history of `from`, in one transaction with `also`.
 */
export function replaceRows(from: Database, to: Database, also: () => void = () => undefined): void {
  to.inTransaction(() => {
    for (const table of tablesOf(to)) {
      if (!isHistoryTable(table)) to.apply({ table, drop: {} });
      copyTable(from, to, table);
    }
    also();
  });
}

/** Copies the readable tables of a database into another one. Returns true if all tables were copied. */
export function saveRows(from: Database, to: Database): boolean {
  return tablesOf(to)
    .map((table) => copyReadable(from, to, table))
    .every((saved) => saved);
}

function copyReadable(from: Database, to: Database, table: string): boolean {
  try {
    to.inTransaction(() => copyTable(from, to, table));
    return true;
  } catch {
    // The other tables are copied even if this one is damaged.
    return false;
  }
}

function copyTable(from: Database, to: Database, table: string): void {
  for (const row of rowsOf(from, table)) to.copyRow(table, row);
}

function copyHigher(from: Database, to: Database, table: string): void {
  const known = new Map(to.find({ table }).map(({ name, value }) => [name, Number(value)]));
  for (const row of from.find({ table })) {
    if (Number(row.value) > (known.get(row.name ?? '') ?? Number.NEGATIVE_INFINITY)) to.copyRow(table, row);
  }
}

/** Moves the rows of `to` aside, except those that `from` has as well. */
function setAside(from: Database, to: Database, table: string): void {
  const known = new Set(from.find({ table }).map((row) => JSON.stringify(row)));
  for (const row of to.find({ table })) {
    const content = JSON.stringify(row);
    if (!known.has(content)) to.copyRow(unmergedRowsTable, { origin: table, content });
  }
  to.apply({ table, drop: {} });
}

function rowsOf(from: Database, table: string): readonly Row[] {
  if (!isHistoryTable(table)) return from.find({ table });
  // Rows that are copied twice are the same.
  return [...retainedRows(from, table), ...from.find({ table, order: ['-at'], limit: maxCopiedHistoryRows })];
}
