import type { ColumnValue, Row, StoreChange, StoreCondition, StoreQuery } from '../../kernel/store.ts';

const appendOnlyTables: ReadonlySet<string> = new Set(['guard_intents', 'guard_outcomes', 'guard_actions']);

/** Whether rows of this table are written once: none is changed, and none goes but by age. */
export function isAppendOnly(table: string): boolean {
  return appendOnlyTables.has(table);
}

/** One statement with the values of its places. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly ColumnValue[];
}

const pattern = /^[a-z][a-z0-9_]*$/i;

/**
 * Returns the statement of a change. Throws for an invalid name and for the deletion of a row that must stay, because both
 * are bugs of the caller. In an append-only table, a second row with the same key fails.
 */
export function changeStatement(change: StoreChange): Statement {
  const { table } = change;
  if ('put' in change) return insertStatement(isAppendOnly(table) ? 'INSERT' : 'INSERT OR REPLACE', table, change.put);
  if (isAppendOnly(table)) throw new TypeError(`rows of ${table} are never deleted`);
  return deleteStatement(table, change.drop);
}

/** The statement that puts a row of another database; what was written once stays as it was written first. */
export function copyStatement(table: string, row: Row): Statement {
  return insertStatement(isAppendOnly(table) ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE', table, row);
}

/** The statement that finds rows. */
export function findStatement({ table, where = [], order = [], limit, offset }: StoreQuery): Statement {
  const conditions = whereClause(where);
  const paged = limit !== undefined || offset !== undefined;
  const sql = `SELECT * FROM ${quoteIdentifier(table)}${conditions.sql}${orderByClause(order)}${paged ? ' LIMIT ? OFFSET ?' : ''}`;
  // A negative limit is none; an offset cannot be had without a limit.
  return { sql, values: [...conditions.values, ...(paged ? [limit ?? -1, offset ?? 0] : [])] };
}

/** The statement that counts them: one row with `rows`. */
export function countStatement({ table, where = [] }: StoreQuery): Statement {
  const conditions = whereClause(where);
  return {
    sql: `SELECT count(*) AS "rows" FROM ${quoteIdentifier(table)}${conditions.sql}`,
    values: conditions.values,
  };
}

/** A name of the schema as SQL takes it, whatever word it is. */
export function quoteIdentifier(name: string): string {
  if (!pattern.test(name)) throw new TypeError(`'${name}' is not a valid table or column name`);
  return `"${name}"`;
}

function insertStatement(how: string, table: string, row: Row): Statement {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const sql = `${how} INTO ${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(', ')}) VALUES (${places})`;
  return { sql, values: Object.values(row) };
}

function deleteStatement(table: string, row: Row): Statement {
  const conditions = whereClause(Object.entries(row).map(([column, value]) => ({ column, is: '=', value })));
  return { sql: `DELETE FROM ${quoteIdentifier(table)}${conditions.sql}`, values: conditions.values };
}

function whereClause(conditions: readonly StoreCondition[]): Statement {
  // `IS` is the equality that holds for NULL too; indexes serve it as well.
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
