import type { Cell, Change, Condition, Question, Row } from '../../kernel/store.ts';
import { isAppendOnly } from './append-only.ts';

/** One statement with the values of its places. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

const pattern = /^[a-z][a-z0-9_]*$/i;

/**
 * The statement of a change. Throws for a name that cannot be one, and for a row that is to stay: that is a bug of
 * whoever asks. Where rows are written once, a second one under the same key fails.
 */
export function statementOf(change: Change): Statement {
  const { table } = change;
  if ('put' in change) return inserting(isAppendOnly(table) ? 'INSERT' : 'INSERT OR REPLACE', table, change.put);
  if (isAppendOnly(table)) throw new TypeError(`rows of ${table} are never dropped`);
  return deleting(table, change.drop);
}

/** The statement that puts a row of another database; what was written once stays as it was written first. */
export function copying(table: string, row: Row): Statement {
  return inserting(isAppendOnly(table) ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE', table, row);
}

/** The statement that finds rows. */
export function finding({ table, where = [], order = [], limit, offset }: Question): Statement {
  const conditions = conditionsOf(where);
  const paged = limit !== undefined || offset !== undefined;
  const sql = `SELECT * FROM ${quoted(table)}${conditions.sql}${ordering(order)}${paged ? ' LIMIT ? OFFSET ?' : ''}`;
  // A negative limit is none; an offset cannot be had without a limit.
  return { sql, values: [...conditions.values, ...(paged ? [limit ?? -1, offset ?? 0] : [])] };
}

/** The statement that counts them: one row with `rows`. */
export function counting({ table, where = [] }: Question): Statement {
  const conditions = conditionsOf(where);
  return { sql: `SELECT count(*) AS "rows" FROM ${quoted(table)}${conditions.sql}`, values: conditions.values };
}

/** A name of the schema as SQL takes it, whatever word it is. */
export function quoted(name: string): string {
  if (!pattern.test(name)) throw new TypeError(`'${name}' is no name of a table or column`);
  return `"${name}"`;
}

function inserting(how: string, table: string, row: Row): Statement {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const sql = `${how} INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${places})`;
  return { sql, values: Object.values(row) };
}

function deleting(table: string, row: Row): Statement {
  const conditions = conditionsOf(Object.entries(row).map(([column, value]) => ({ column, is: '=', value })));
  return { sql: `DELETE FROM ${quoted(table)}${conditions.sql}`, values: conditions.values };
}

function conditionsOf(conditions: readonly Condition[]): Statement {
  // `IS` is the equality that holds for NULL too; indexes serve it as well.
  const terms = conditions.map(({ column, is }) => `${quoted(column)} ${is === '=' ? 'IS' : is} ?`);
  const sql = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  return { sql, values: conditions.map(({ value }) => value) };
}

function ordering(order: readonly string[]): string {
  const terms = order.map((column) => (column.startsWith('-') ? `${quoted(column.slice(1))} DESC` : quoted(column)));
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}
