import type { Row } from '../../kernel/store.ts';
import type { Millis } from '../../kernel/time.ts';
import type { StateMigration } from '../../model/replica-database.ts';
import type { Database } from '../store/database.ts';
import type { PostgresConnection, RunSql } from './connection.ts';
import { toRow } from './rows.ts';
import { quoteName, stateTables } from './schema.ts';
import { insertStatement } from './statements.ts';

/** Numbers of copied rows by table. */
export type TableCounts = StateMigration['tables'];

/** Timeout of a copy; a year of history takes a minute. */
const copyTimeout: Millis = 3_600_000;

/** Number of rows that are copied at once. */
const chunkSize = 1000;

/** Time for which a replica that registered counts as running. */
const liveInterval = "interval '30 seconds'";

/** Copies all rows of a state directory into an empty database, in one transaction. Rejects with an error for the operator. */
export function copyToPostgres(source: Database, connection: PostgresConnection): Promise<TableCounts> {
  const names = Object.keys(stateTables);
  return connection.transaction(
    async (run) => {
      // No daemon writes until the end, whether it started before or starts now.
      await run(`LOCK TABLE ${names.map(quoteName).join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
      await refuseReplicas(run);
      await refuseRows(run, names);
      const counts: { name: string; rows: number }[] = [];
      for (const name of names) {
        for (const rows of chunks(source.iterate({ table: name }))) {
          const { sql, values } = insertStatement(name, rows);
          await run(sql, values);
        }
        counts.push(verified(name, source.count({ table: name }), await countRows(run, name)));
      }
      return counts;
    },
    { statementTimeout: copyTimeout, totalTimeout: copyTimeout },
  );
}

/** Copies all rows of a database, as they are at one instant, into an empty one of a state directory. Rejects with an error for the operator. */
export function copyFromPostgres(connection: PostgresConnection, target: Database): Promise<TableCounts> {
  return connection.transaction(
    async (run) => {
      await run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await refuseReplicas(run);
      target.run('BEGIN IMMEDIATE');
      try {
        const counts: { name: string; rows: number }[] = [];
        for (const name of Object.keys(stateTables)) {
          await copyRows(run, name, target);
          counts.push(verified(name, await countRows(run, name), target.count({ table: name })));
        }
        target.run('COMMIT');
        return counts;
      } catch (error) {
        target.run('ROLLBACK');
        throw error;
      }
    },
    { isReadOnly: true, statementTimeout: copyTimeout, totalTimeout: copyTimeout },
  );
}

async function refuseReplicas(run: RunSql): Promise<void> {
  const { rows } = await run(`SELECT name FROM replicas WHERE seen_at > clock_timestamp() - ${liveInterval} LIMIT 1`);
  const [live] = rows;
  if (live !== undefined) {
    throw new TypeError(`the replica ${String(live.name)} uses the database; stop all replicas and wait half a minute`);
  }
}

async function refuseRows(run: RunSql, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { rows } = await run(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`);
    if (rows.length > 0) {
      throw new TypeError(
        `the database already has rows in the table ${name}; nothing was copied: use another database, or drop the schema graphwarden`,
      );
    }
  }
}

/** Copies the rows of a table in chunks, which the server keeps until they are fetched. */
async function copyRows(run: RunSql, table: string, target: Database): Promise<void> {
  await run(`DECLARE copied NO SCROLL CURSOR FOR SELECT * FROM ${quoteName(table)}`);
  for (;;) {
    const { rows } = await run(`FETCH ${chunkSize} FROM copied`);
    if (rows.length === 0) break;
    for (const row of rows) target.copyRow(table, toRow(row));
  }
  await run('CLOSE copied');
}

async function countRows(run: RunSql, table: string): Promise<number> {
  const { rows } = await run(`SELECT count(*) AS "rows" FROM ${quoteName(table)}`);
  return Number(rows[0]?.rows);
}

function verified(name: string, expected: number, rows: number): { name: string; rows: number } {
  if (rows === expected) return { name, rows };
  throw new TypeError(`the table ${name} has ${expected} rows and its copy ${rows}; nothing was copied`);
}

function* chunks(rows: Iterable<Row>): Generator<readonly Row[]> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
