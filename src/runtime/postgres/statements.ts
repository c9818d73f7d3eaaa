import { err, ok, type Result } from '../../kernel/result.ts';
import type { ColumnValue, Row, StoreChange, StoreCondition, StoreQuery } from '../../kernel/store.ts';
import { isAppendOnly } from '../store/statements.ts';
import { counterTables } from '../store/tables.ts';
import { quoteName, stateTables } from './schema.ts';

/** SQL statement with the values of its parameters `$1`, `$2` and so on. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly ColumnValue[];
}

/** Statement that changes rows of one table. */
export interface ChangeStatement extends SqlStatement {
  /** Number of rows that an insertion into an append-only table must add; undefined for other statements. */
  readonly adds?: number;
  /** Query of those rows as they were to be added, for an insertion that may have been committed before. */
  readonly found?: SqlStatement;
}

/**
 * Returns the statements of a batch: consecutive changes of one kind to a table are one statement, whatever changes of other tables are
 * between them. `isRepeated`: an earlier attempt may have been committed, so rows of append-only tables may exist. Throws for an invalid
 * name and for the deletion of a row that must stay, because both are bugs of the caller.
 */
export function changeStatements(changes: readonly StoreChange[], isRepeated = false): readonly ChangeStatement[] {
  const groups: StoreChange[][] = [];
  const latest = new Map<string, { readonly kind: string; readonly group: StoreChange[] }>();
  for (const [index, change] of changes.entries()) {
    const kind = kindOf(change, index);
    const last = latest.get(change.table);
    if (last?.kind === kind) last.group.push(change);
    else {
      const group = [change];
      groups.push(group);
      latest.set(change.table, { kind, group });
    }
  }
  return groups.map((group) => groupStatement(group, isRepeated));
}

/** Returns the statement of a query. */
export function findStatement({ table, columns, where = [], order = [], limit, offset }: StoreQuery): SqlStatement {
  const chosen = columns === undefined ? '*' : columns.map(quoteName).join(', ');
  const conditions = whereClause(where);
  const parts = [`SELECT ${chosen} FROM ${quoteName(table)}${conditions.sql}${orderByClause(order)}`];
  const values = [...conditions.values];
  if (limit !== undefined) parts.push(`LIMIT $${values.push(limit)}::bigint`);
  if (offset !== undefined) parts.push(`OFFSET $${values.push(offset)}::bigint`);
  return { sql: parts.join(' '), values };
}

/** Returns a statement, or the error of an invalid query. */
export function attemptStatement(build: () => SqlStatement): Result<SqlStatement, string> {
  try {
    return ok(build());
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the statement that counts rows, as one row with the column `rows`. */
export function countStatement({ table, where = [] }: StoreQuery): SqlStatement {
  const conditions = whereClause(where);
  return { sql: `SELECT count(*) AS "rows" FROM ${quoteName(table)}${conditions.sql}`, values: conditions.values };
}

/**
 * Returns a key that changes with the same table and columns share; they become one statement. A condition on NULL has its own
 * SQL. Each change of a counter is a separate statement, because the highest of its values counts and not the last.
 */
function kindOf(change: StoreChange, index: number): string {
  if (counterTables.has(change.table)) return `${index}`;
  if ('put' in change) return `put ${change.table} ${Object.keys(change.put).join()}`;
  const columns = Object.entries(change.drop).map(([column, value]) => (value === null ? `${column}=NULL` : column));
  return `drop ${change.table} ${columns.join()}`;
}

function groupStatement(group: readonly StoreChange[], isRepeated: boolean): ChangeStatement {
  const [first] = group;
  if (first === undefined) throw new TypeError('a statement has changes');
  const { table } = first;
  const rows = group.map((change) => ('put' in change ? change.put : change.drop));
  if (!('put' in first)) return deleteStatement(table, rows);
  return isAppendOnly(table) ? appendStatement(table, rows, isRepeated) : putStatement(table, rows);
}

function putStatement(table: string, rows: readonly Row[]): ChangeStatement {
  const { key, columns } = describe(table);
  if (key.length === 0) throw new TypeError(`rows of ${table} have no key`);
  // One statement cannot change a row twice: the last one counts.
  const latest = [...new Map(rows.map((row) => [JSON.stringify(key.map((column) => row[column])), row])).values()];
  const others = Object.keys(columns).filter((column) => !key.includes(column));
  const assigned = others.map((column) => assignment(table, column));
  const conflict = `ON CONFLICT (${names(key)}) DO ${assigned.length === 0 ? 'NOTHING' : `UPDATE SET ${assigned.join(', ')}`}`;
  return insertStatement(table, latest, ` ${conflict}`);
}

/** A counter never falls. */
function assignment(table: string, column: string): string {
  const name = quoteName(column);
  const value = counterTables.has(table) && column === 'value';
  return value ? `${name} = GREATEST(${quoteName(table)}.${name}, EXCLUDED.${name})` : `${name} = EXCLUDED.${name}`;
}

function appendStatement(table: string, rows: readonly Row[], isRepeated: boolean): ChangeStatement {
  const { key } = describe(table);
  const adds = rows.length;
  if (!isRepeated) return { ...insertStatement(table, rows), adds };
  const columns = Object.keys(rows[0] ?? {});
  const same = columns.map((column) => `stored.${quoteName(column)} IS NOT DISTINCT FROM given.${quoteName(column)}`);
  const sql = `SELECT count(*) AS "rows" FROM ${quoteName(table)} AS stored
    JOIN ${recordset(table)} AS given USING (${names(key)}) WHERE ${same.join(' AND ')}`;
  const found = { sql, values: [toJson(rows)] };
  return { ...insertStatement(table, rows, ` ON CONFLICT (${names(key)}) DO NOTHING`), adds, found };
}

/** Returns the statement that adds rows with the same columns. */
export function insertStatement(table: string, rows: readonly Row[], conflict = ''): SqlStatement {
  const columns = names(Object.keys(rows[0] ?? {}));
  const sql = `INSERT INTO ${quoteName(table)} (${columns}) SELECT ${columns} FROM ${recordset(table)}${conflict}`;
  return { sql, values: [toJson(rows)] };
}

function deleteStatement(table: string, rows: readonly Row[]): ChangeStatement {
  if (isAppendOnly(table)) throw new TypeError(`rows of ${table} are never deleted`);
  describe(table);
  const terms = Object.entries(rows[0] ?? {}).map(([column, value]) =>
    value === null ? `stored.${quoteName(column)} IS NULL` : `stored.${quoteName(column)} = gone.${quoteName(column)}`,
  );
  const where = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  const sql = `DELETE FROM ${quoteName(table)} AS stored USING ${recordset(table)} AS gone${where}`;
  return { sql, values: [toJson(rows)] };
}

/** The rows of the JSON in `$1`, with the types of a table. */
function recordset(table: string): string {
  return `jsonb_populate_recordset(NULL::${quoteName(table)}, $1::jsonb)`;
}

/** PostgreSQL stores no NUL character: it becomes the replacement character. */
function toJson(rows: readonly Row[]): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
}

function storable(value: string): string {
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}

function describe(table: string): (typeof stateTables)[string] {
  const known = stateTables[table];
  if (known === undefined) throw new TypeError(`there is no table ${table}`);
  return known;
}

function names(columns: readonly string[]): string {
  return columns.map(quoteName).join(', ');
}

function whereClause(conditions: readonly StoreCondition[]): SqlStatement {
  const values: ColumnValue[] = [];
  const terms = conditions.map(({ column, is, value }) => {
    if (value === null) return is === '=' ? `${quoteName(column)} IS NULL` : 'FALSE';
    const parameter = `$${values.push(typeof value === 'string' ? storable(value) : value)}`;
    return `${quoteName(column)} ${is} ${parameter}::${typeOf(value)}`;
  });
  return { sql: terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`, values };
}

function typeOf(value: string | number): string {
  if (typeof value === 'string') return 'text';
  return Number.isSafeInteger(value) ? 'bigint' : 'double precision';
}

/** Columns that may be NULL, in a table or in a view. */
const nullableColumns: ReadonlySet<string> = new Set([
  ...Object.values(stateTables).flatMap(({ columns }) =>
    Object.entries(columns).flatMap(([column, type]) => (type.includes('NOT NULL') ? [] : [column])),
  ),
  // Columns of the audit, a view.
  'ended_at',
  'outcome',
  'id',
  'start_time',
  'graph',
  'query',
  'policy_hash',
  'mode',
  'evidence',
  'notify',
  'uid',
  'what',
  'actor',
  'subject',
  'reason',
]);

/** NULL comes first, as in SQLite. Other columns keep the order that an index has. */
function orderByClause(order: readonly string[]): string {
  const terms = order.map((column) => {
    const isDescending = column.startsWith('-');
    const name = isDescending ? column.slice(1) : column;
    const nulls = nullableColumns.has(name) ? ` NULLS ${isDescending ? 'LAST' : 'FIRST'}` : '';
    return `${quoteName(name)}${isDescending ? ' DESC' : ''}${nulls}`;
  });
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}
