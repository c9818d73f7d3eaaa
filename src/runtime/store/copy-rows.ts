import type { Row } from '../../kernel/store.ts';
import { unmergedRowsTable } from '../../kernel/unmerged-rows.ts';
import type { Database } from './database.ts';
import { isHistoryTable, retainedRows, tablesOf } from './history.ts';
import { counterTables, mergedTables } from './tables.ts';

/** How much of the past comes along: enough to be looked at, and not a disk's worth of it. */
const maxHistoryRows = 10_000;

/**
 * Merges the current rows of a database, and its newest history, into another one with the same tables, in one
 * transaction with `also`. Where both have a row with the same key, the former replaces the latter; in the tables that the
 * application merges, the replaced row is kept aside until then.
 */
export function mergeRows(from: Database, to: Database, also: () => void = () => undefined): void {
  to.inTransaction(() => {
    for (const table of tablesOf(to)) {
      if (mergedTables.has(table)) keepAside(from, to, table);
      if (counterTables.has(table)) copyHigher(from, to, table);
      else copyTable(from, to, table);
    }
    also();
  });
}

/** Replaces the current rows of a database by those of another one, and adds the newest history, in one transaction with `also`. */
export function replaceRows(from: Database, to: Database, also: () => void = () => undefined): void {
  to.inTransaction(() => {
    for (const table of tablesOf(to)) {
      if (!isHistoryTable(table)) to.apply({ table, drop: {} });
      copyTable(from, to, table);
    }
    also();
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

function copyHigher(from: Database, to: Database, table: string): void {
  const known = new Map(to.find({ table }).map(({ name, value }) => [name, Number(value)]));
  for (const row of from.find({ table })) {
    if (Number(row.value) > (known.get(row.name ?? '') ?? Number.NEGATIVE_INFINITY)) to.take(table, row);
  }
}

/** Keeps the rows of `to` aside that rows of `from` with the same key but other contents will replace. */
function keepAside(from: Database, to: Database, table: string): void {
  const key = to.texts(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`);
  const keyOf = (row: Row): string => JSON.stringify(key.map((column) => row[column]));
  const incoming = new Map(from.find({ table }).map((row) => [keyOf(row), JSON.stringify(row)]));
  for (const row of to.find({ table })) {
    const other = incoming.get(keyOf(row));
    const content = JSON.stringify(row);
    if (other !== undefined && other !== content) to.take(unmergedRowsTable, { origin: table, content });
  }
}

function rowsOf(from: Database, table: string): readonly Row[] {
  if (!isHistoryTable(table)) return from.find({ table });
  // Some comes twice, which changes nothing.
  return [...retainedRows(from, table), ...from.find({ table, order: ['-at'], limit: maxHistoryRows })];
}
