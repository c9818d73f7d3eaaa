import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ColumnValue, Row, StoreChange, StoreQuery } from '../../kernel/store.ts';
import { isDiskError, messageOf } from './sqlite-errors.ts';
import { changeStatement, copyStatement, countStatement, findStatement, type SqlStatement } from './statements.ts';

/** Result of each batch of a group. */
export type Outcomes = readonly Result<void, string>[];

/** Database with its tables. Throws errors of the disk, and returns errors of a batch. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  /** Commits a group of batches as one transaction, in order. A batch that fails is skipped as a whole. */
  commit(batches: readonly (readonly StoreChange[])[]): Outcomes {
    return this.inTransaction(() => batches.map((batch) => this.#attempt(batch)));
  }

  find(query: StoreQuery): readonly Row[] {
    return this.#all(findStatement(query));
  }

  /** Yields the rows of a query one at a time. */
  *iterate(query: StoreQuery): Generator<Row> {
    const { sql, values } = findStatement(query);
    for (const found of this.#prepare(sql).iterate(...values)) yield rowOf(found);
  }

  /** Returns the rows of a statement without values. */
  rows(sql: string): readonly Row[] {
    return this.#all({ sql, values: [] });
  }

  count(query: StoreQuery): number {
    return Number(this.#all(countStatement(query))[0]?.rows ?? 0);
  }

  /** Applies one change in a transaction of the caller. */
  apply(change: StoreChange): void {
    this.#run(changeStatement(change));
  }

  /** Adds a row of another database in a transaction of the caller. */
  copyRow(table: string, row: Row): void {
    this.#run(copyStatement(table, row));
  }

  /** Runs a DELETE statement and returns the number of deleted rows. */
  delete(sql: string, ...values: readonly number[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs statements that have no values, such as those of a migration. */
  run(...statements: readonly string[]): void {
    for (const statement of statements) this.#connection.exec(statement);
  }

  /** Runs the first statement of a text that a file contains; others in the text could attach another file. */
  runFirst(text: string): void {
    this.#connection.prepare(text).run();
  }

  /** Returns the number that a pragma or a query returns. */
  number(sql: string, ...values: readonly (string | number)[]): number {
    const [value] = Object.values(this.#connection.prepare(sql).get(...values) ?? {});
    return Number(value ?? 0);
  }

  /** The first column of all rows, as texts. */
  texts(sql: string): readonly string[] {
    return this.#connection
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  }

  /** Runs work in a transaction, which an error rolls back. */
  inTransaction<T>(work: () => T): T {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // Some errors of the disk have already ended the transaction.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#prepared.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  #attempt(batch: readonly StoreChange[]): Result<void, string> {
    this.#connection.exec('SAVEPOINT batch');
    try {
      for (const change of batch) this.apply(change);
      this.#connection.exec('RELEASE batch');
      return ok(undefined);
    } catch (error) {
      if (isDiskError(error)) throw error;
      this.#connection.exec('ROLLBACK TO batch');
      this.#connection.exec('RELEASE batch');
      return err(`cannot be stored: ${messageOf(error)}`);
    }
  }

  #run({ sql, values }: SqlStatement): void {
    this.#prepare(sql).run(...values);
  }

  #all({ sql, values }: SqlStatement): readonly Row[] {
    return this.#prepare(sql)
      .all(...values)
      .map(rowOf);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

/** The schema has only numbers and texts; any other value of a file is converted to text. */
function rowOf(found: Readonly<Record<string, SQLOutputValue>>): Row {
  if (isRow(found)) return found;
  return Object.fromEntries(Object.entries(found).map(([column, value]) => [column, cellOf(value)]));
}

function isRow(found: Readonly<Record<string, SQLOutputValue>>): found is Row {
  return Object.values(found).every(isColumnValue);
}

function cellOf(value: SQLOutputValue): ColumnValue {
  return isColumnValue(value) ? value : String(value);
}

function isColumnValue(value: SQLOutputValue): value is ColumnValue {
  return value === null || typeof value === 'number' || typeof value === 'string';
}
