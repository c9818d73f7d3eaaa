import type { ColumnValue, Row, StoreChange, StoreCondition, StoreQuery } from '../../kernel/store.ts';

const appendOnlyTables: ReadonlySet<string> = new Set(['guard_intents', 'guard_outcomes', 'guard_actions']);

/** Returns whether the rows of a table never change and are deleted only by retention. */
export function isAppendOnly(table: string): boolean {
  return appendOnlyTables.has(table);
}

/** SQL statement with the values of its placeholders. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly ColumnValue[];
}

const pattern = /^[a-z][a-z0-9_]*$/i;

/**
 * Returns the statement of a change. Throws for an invalid name and for the deletion of a row that must stay, because both
 * are bugs of the caller. In an append-only table, a second row with the same key fails.
 */
export function changeStatement(change: StoreChange): SqlStatement {
  const { table } = change;
  if ('put' in change) return insertStatement(isAppendOnly(table) ? 'INSERT' : 'INSERT OR REPLACE', table, change.put);
  if (isAppendOnly(table)) throw new TypeError(`rows of ${table} are never deleted`);
  return deleteStatement(table, change.drop);
}

/** Returns the statement that copies a row of another database. In append-only tables the existing row is kept. */
export function copyStatement(table: string, row: Row): SqlStatement {
  return insertStatement(isAppendOnly(table) ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE', table, row);
}

/** Returns the statement of a query. */
export function findStatement({ table, columns, where = [], order = [], limit, offset }: StoreQuery): SqlStatement {
  const conditions = whereClause(where);
  const paged = limit !== undefined || offset !== undefined;
  const chosen = columns === undefined ? '*' : columns.map(quoteIdentifier).join(', ');
  const sql = `SELECT ${chosen} FROM ${quoteIdentifier(table)}${conditions.sql}${orderByClause(order)}${paged ? ' LIMIT ? OFFSET ?' : ''}`;
  // SQLite has no OFFSET without LIMIT; a negative limit means no limit.
  return { sql, values: [...conditions.values, ...(paged ? [limit ?? -1, offset ?? 0] : [])] };
}

/** Returns the statement that counts rows, as one row with the column `rows`. */
export function countStatement({ table, where = [] }: StoreQuery): SqlStatement {
  const conditions = whereClause(where);
  return {
    sql: `SELECT count(*) AS "rows" FROM ${quoteIdentifier(table)}${conditions.sql}`,
    values: conditions.values,
  };
}

/** Quotes the name of a table or a column, which may be an SQL keyword. */
export function quoteIdentifier(name: string): string {
  if (!pattern.test(name)) throw new TypeError(`'${name}' is not a valid table or column name`);
  return `"${name}"`;
}

function insertStatement(how: string, table: string, row: Row): SqlStatement {
  const columns = Object.keys(row);
  const placeholders = columns.map(() => '?').join(', ');
  const sql = `${how} INTO ${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(', ')}) VALUES (${placeholders})`;
  return { sql, values: Object.values(row) };
}

function deleteStatement(table: string, row: Row): SqlStatement {
  const conditions = whereClause(Object.entries(row).map(([column, value]) => ({ column, is: '=', value })));
  return { sql: `DELETE FROM ${quoteIdentifier(table)}${conditions.sql}`, values: conditions.values };
}

function whereClause(conditions: readonly StoreCondition[]): SqlStatement {
  // `IS` is an equality that also works for NULL, and uses indexes.
  const terms = conditions.map(({ column, is }) => `${quoteIdentifier(column)} ${is === '=' ? 'IS' : is} ?`);
  const sql = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  return { sql, values: conditions.map(({ value }) => value) };
}

function orderByClause(order: readonly string[]): string {
  const terms = order.map((column) =>
    column.startsWith('-') ? `${quoteIdentifier(column.slice(1))} DESC` : quoteIdentifier(column),
  );
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}
