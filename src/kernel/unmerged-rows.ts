import { ok, type Result } from './result.ts';
import type { Row, Store, StoreChange } from './store.ts';

/**
 * Table of rows of a state directory that was missing for a while, set aside because the process did not know them:
 * `content` is the JSON of a row of the table `origin`. The owner of that table merges them with its own rows.
 */
export const unmergedRowsTable = 'unmerged_rows';

/** Rows of a table, and those that its owner has to merge with them. */
export interface TableRows {
  readonly rows: readonly Row[];
  readonly unmerged: readonly Row[];
  /** Deletes the rows to merge, and no others that were set aside since. Store it together with the merged rows. */
  readonly deletions: readonly StoreChange[];
}

/** Finds all rows of a table, and the rows to merge with them. Errors are those of the store. */
export async function findWithUnmerged(
  store: Pick<Store, 'find'>,
  table: string,
  order: readonly string[] = [],
): Promise<Result<TableRows, string>> {
  const where = [{ column: 'origin', is: '=', value: table }] as const;
  const [found, others] = await Promise.all([
    store.find({ table, order }),
    store.find({ table: unmergedRowsTable, where, order: ['content'] }),
  ]);
  if (!found.ok) return found;
  const setAside = others.ok ? others.value : [];
  return ok({ rows: found.value, unmerged: setAside.flatMap(rowOf), deletions: setAside.map(deletionOf) });
}

function deletionOf({ origin = '', content = '' }: Row): StoreChange {
  return { table: unmergedRowsTable, drop: { origin, content } };
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
