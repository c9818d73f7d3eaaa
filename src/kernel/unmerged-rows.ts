import { ok, type Result } from './result.ts';
import type { Row, Store, StoreChange } from './store.ts';

/**
 * Table of rows of the state folder that differ from the rows with the same key that were kept in memory while the
 * folder was missing: `content` is the JSON of a row of the table `origin`. The owner of that table merges them.
 */
export const unmergedRowsTable = 'unmerged_rows';

/** Rows of a table, and those that its owner has to merge with them. */
export interface TableRows {
  readonly rows: readonly Row[];
  readonly unmerged: readonly Row[];
}

/** Finds all rows of a table, and the rows to merge with them. Errors are those of the store. */
export async function findWithUnmerged(
  store: Store,
  table: string,
  order: readonly string[] = [],
): Promise<Result<TableRows, string>> {
  const where = [{ column: 'origin', is: '=', value: table }] as const;
  const [found, others] = await Promise.all([
    store.find({ table, order }),
    store.find({ table: unmergedRowsTable, where, order: ['content'] }),
  ]);
  if (!found.ok) return found;
  return ok({ rows: found.value, unmerged: others.ok ? others.value.flatMap(rowOf) : [] });
}

/** Returns the change that deletes the rows that were merged. */
export function mergedDeletion(table: string): StoreChange {
  return { table: unmergedRowsTable, drop: { origin: table } };
}

function rowOf({ content }: Row): readonly Row[] {
  try {
    const row: unknown = JSON.parse(String(content));
    return isRow(row) ? [row] : [];
  } catch {
    return [];
  }
}

function isCell(cell: unknown): boolean {
  return cell === null || typeof cell === 'number' || typeof cell === 'string';
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isCell);
}
