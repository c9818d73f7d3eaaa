import type { Cell, Change, Condition, Question, Row } from '../../kernel/store.ts';

/** One statement with the values of its places. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

const pattern = /^[a-z][a-z0-9_]*$/i;

/** The statement of a change. Throws for a name that cannot be one: that is a bug of whoever asks. */
export function statementOf(change: Change): Statement {
  return 'put' in change ? inserting(change.table, change.put) : deleting(change.table, change.drop);
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

function inserting(table: string, row: Row): Statement {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const sql = `INSERT OR REPLACE INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${places})`;
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
