import type { StateCheck, StateReport, StateTable } from '../../kernel/state-tools.ts';
import type { Millis } from '../../kernel/time.ts';
import { isHistoryTable } from '../store/history.ts';
import type { PostgresConnection, RunSql } from './connection.ts';
import type { DatabaseTarget } from './errors.ts';
import { versionOf } from './open-postgres.ts';
import { quoteName, schemaName, schemaSteps, stateTables, versionsTable } from './schema.ts';

/** Timeout of a check, which counts all rows. */
const checkTimeout: Millis = 300_000;

/** Time by which the newest row may be in the future. */
const maxFuture: Millis = 24 * 3_600_000;

/** Checks a database without changing it. Rejects if it cannot be read. */
export function checkDatabase(connection: PostgresConnection): Promise<StateReport> {
  const options = { isReadOnly: true, withoutSchema: true, statementTimeout: checkTimeout, totalTimeout: checkTimeout };
  return connection.transaction((run) => report(run, connection.target), options);
}

async function report(run: RunSql, { database, hosts }: DatabaseTarget): Promise<StateReport> {
  const { rows } = await run(
    `SELECT current_setting('server_version') AS server, floor(extract(epoch FROM clock_timestamp()) * 1000) AS now,
      (SELECT coalesce(sum(pg_total_relation_size(class.oid)), 0) FROM pg_class AS class
        WHERE class.relkind = 'r' AND class.relnamespace = to_regnamespace($1)) AS bytes`,
    [schemaName],
  );
  const { server, bytes, now } = rows[0] ?? {};
  const version = await versionOf(run);
  const connection: StateCheck = { name: 'connection', result: 'ok', detail: `PostgreSQL ${String(server)}` };
  const schema = await checkSchema(run, version);
  const isUsable = schema.result === 'ok';
  const tables = isUsable ? await summarizeTables(run) : [];
  return {
    file: `${database} at ${hosts}`,
    bytes: Number(bytes),
    schemaVersion: version === 0 ? undefined : version,
    supportedVersion: schemaSteps.length,
    program: isUsable ? await latestProgram(run) : undefined,
    checks: [connection, schema, ...(isUsable ? [checkBounds(tables, Number(now))] : [])],
    tables,
  };
}

function failed(detail: string): StateCheck {
  return { name: 'schema', result: 'failed', detail };
}

async function checkSchema(run: RunSql, version: number): Promise<StateCheck> {
  if (version === 0) return failed('no tables: start graphwarden once, or run `graphwarden state migrate postgres`');
  if (version > schemaSteps.length) {
    return failed(`version ${version} of a newer release; this release supports version ${schemaSteps.length}`);
  }
  const { rows } = await run(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = $1`,
    [schemaName],
  );
  const present = new Set(rows.map(({ name }) => String(name)));
  const expected = Object.entries(stateTables).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  const missing = version === schemaSteps.length ? expected.find((column) => !present.has(column)) : undefined;
  return missing === undefined
    ? { name: 'schema', result: 'ok', detail: `version ${version}` }
    : failed(`the column ${missing} is missing`);
}

async function latestProgram(run: RunSql): Promise<string | undefined> {
  const { rows } = await run(`SELECT program FROM ${schemaName}.${versionsTable} ORDER BY version DESC LIMIT 1`);
  return rows[0] === undefined ? undefined : String(rows[0].program);
}

async function summarizeTables(run: RunSql): Promise<readonly StateTable[]> {
  const tables: StateTable[] = [];
  for (const name of Object.keys(stateTables).toSorted()) {
    const times = isHistoryTable(name) ? ', min(at) AS oldest, max(at) AS newest' : '';
    const { rows } = await run(`SELECT count(*) AS "rows"${times} FROM ${schemaName}.${quoteName(name)}`);
    const { rows: count, oldest, newest } = rows[0] ?? {};
    const bounds = typeof oldest === 'number' && typeof newest === 'number' ? { oldest, newest } : {};
    tables.push({ name, rows: Number(count), ...bounds });
  }
  return tables;
}

function checkBounds(tables: readonly StateTable[], now: number): StateCheck {
  const future = tables.find(({ newest = 0 }) => newest > now + maxFuture);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (future === undefined) return { name: 'bounds', result: 'ok', detail: `${rows} rows` };
  return { name: 'bounds', result: 'warning', detail: `${future.name}: the newest row is in the future` };
}
