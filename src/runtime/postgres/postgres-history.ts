import { err, ok, type Result } from '../../kernel/result.ts';
import { type HistoryReader, historyTimeout, type Row, type StoreQuery, type Summary } from '../../kernel/store.ts';
import { maxHistoryRows } from '../store/history-worker.ts';
import { maxRowsInMemory } from '../store/local-store.ts';
import type { PostgresConnection } from './connection.ts';
import { describeError, kindOfError } from './errors.ts';
import { toRow } from './rows.ts';
import { attemptStatement, countStatement, findStatement, type SqlStatement } from './statements.ts';

/** Reads history on a connection of its own, one read at a time, so that no read delays a commit. */
export class PostgresHistory implements HistoryReader {
  /** A summary is computed in the event loop, so it reads no more rows than one in memory. */
  readonly maxSummaryRows = maxRowsInMemory;
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  find(query: StoreQuery): Promise<Result<readonly Row[], string>> {
    const limit = Math.min(query.limit ?? maxHistoryRows, maxHistoryRows);
    return this.#read(() => findStatement({ ...query, limit }));
  }

  async count(query: StoreQuery): Promise<Result<number, string>> {
    const found = await this.#read(() => countStatement(query));
    return found.ok ? ok(Number(found.value[0]?.rows ?? 0)) : found;
  }

  async summarize({ compute }: Summary, query: StoreQuery, input: unknown): Promise<Result<readonly Row[], string>> {
    const limit = Math.min(query.limit ?? this.maxSummaryRows, this.maxSummaryRows);
    const found = await this.#read(() => findStatement({ ...query, limit }));
    return found.ok ? ok(compute(found.value, input)) : found;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #read(toStatement: () => SqlStatement): Promise<Result<readonly Row[], string>> {
    const statement = attemptStatement(toStatement);
    return statement.ok ? this.#send(statement.value) : statement;
  }

  /** Runs a query, and once more after a failed connection, because another server may have become the primary. */
  async #send({ sql, values }: SqlStatement, isRepeated = false): Promise<Result<readonly Row[], string>> {
    try {
      const options = { isReadOnly: true, statementTimeout: historyTimeout };
      const { rows } = await this.#connection.transaction((run) => run(sql, values), options);
      return ok(rows.map(toRow));
    } catch (error) {
      if (!isRepeated && kindOfError(error) === 'connection') return this.#send({ sql, values }, true);
      return err(describeError(error, this.#connection.target));
    }
  }
}
