import type { Row } from '../../kernel/store.ts';
import type { Database } from './database.ts';
import { isHistoryTable, retainedRows, tablesOf } from './history.ts';

/** How much of the past comes along: enough to be looked at, and not a disk's worth of it. */
const maxHistoryRows = 10_000;

/** Puts what one database holds into another that has the same tables: the present, and the newest of the past. */
export function addRows(from: Database, to: Database): void {
  to.inTransaction(() => {
    for (const table of tablesOf(to)) copyTable(from, to, table);
  });
}

/** The same, and what else the other held of the present goes. */
export function replaceRows(from: Database, to: Database): void {
  to.inTransaction(() => {
    for (const table of tablesOf(to)) {
      if (!isHistoryTable(table)) to.apply({ table, drop: {} });
      copyTable(from, to, table);
    }
  });
}

/** Puts what can still be read of a database into another. True when that was all of it. */
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
    // A damaged table takes none of the others with it.
    return false;
  }
}

function copyTable(from: Database, to: Database, table: string): void {
  for (const row of rowsOf(from, table)) to.take(table, row);
}

function rowsOf(from: Database, table: string): readonly Row[] {
  if (!isHistoryTable(table)) return from.find({ table });
  // Some comes twice, which changes nothing.
  return [...retainedRows(from, table), ...from.find({ table, order: ['-at'], limit: maxHistoryRows })];
}
