import { exponentialBackoff } from '../../kernel/backoff.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Retention, StoreOpenError } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { Fence } from './batches.ts';
import { PostgresConnection, type PostgresSettings, type RunSql, targetOf } from './connection.ts';
import { type DatabaseTarget, describeError, kindOfError } from './errors.ts';
import { PostgresHistory } from './postgres-history.ts';
import type { LeaseConnection } from './postgres-leases.ts';
import { PostgresStore } from './postgres-store.ts';
import { schemaName, schemaSteps, versionsTable } from './schema.ts';
import { Trimmer } from './trimmer.ts';

/** Number of the lock with which one process at a time migrates. */
const migrationLock = 916_001;

/** Time for which a start waits for the database, which may be restarting as well. */
const openTimeout: Millis = 30_000;
const openWait = { min: 200, max: 3000 } as const;

/** Timeout of a statement about leases. */
const leaseTimeout: Millis = 3000;

/** Options of a store in PostgreSQL. */
export interface PostgresOptions {
  readonly settings: PostgresSettings;
  readonly retention: Retention;
  readonly clock: Clock;
  /** Release of this program, which a migrated database records. */
  readonly program: string;
  readonly fence?: Fence | undefined;
  /** Why other connections of this process cannot write. */
  readonly writeProblem?: () => string | undefined;
  /** Time for which to wait for the database. */
  readonly maxWait?: Millis;
}

/** Migrates the database, and opens a store in it. Waits for a database that cannot be reached. */
export async function openPostgresStore(options: PostgresOptions): Promise<Result<PostgresStore, StoreOpenError>> {
  const { settings, retention, clock, fence, writeProblem } = options;
  const connection = new PostgresConnection(settings, clock);
  const refusal = await prepareSchema(connection, options);
  if (refusal !== undefined) {
    await connection.close();
    return err(refusal);
  }
  const history = new PostgresHistory(new PostgresConnection(settings, clock));
  const trimmer = new Trimmer(connection, retention, clock);
  return ok(new PostgresStore({ connection, history, trimmer, fence, writeProblem, clock }));
}

/** Opens the connection of the leases, which never wait for other work. */
export function openLeaseConnection(settings: PostgresSettings, clock: Clock): LeaseConnection {
  const connection = new PostgresConnection(settings, clock);
  return {
    query: async (sql, values) => {
      try {
        const { rows } = await connection.transaction((run) => run(sql, values), { statementTimeout: leaseTimeout });
        return ok(rows);
      } catch (error) {
        return err(describeError(error, connection.target));
      }
    },
    close: () => connection.close(),
  };
}

/** Creates or migrates the schema; the error states why that is impossible. */
export async function prepareSchema(
  connection: PostgresConnection,
  { settings, clock, program, maxWait = openTimeout }: Omit<PostgresOptions, 'retention' | 'fence' | 'writeProblem'>,
): Promise<StoreOpenError | undefined> {
  const deadline = clock.now().mono + maxWait;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await connection.transaction(
        (run) => migrate(run, { program, at: clock.now().wall }, targetOf(settings)),
        {
          withoutSchema: true,
        },
      );
    } catch (error) {
      const wait = exponentialBackoff(openWait, attempt);
      if (isFinal(error) || clock.now().mono + wait > deadline) {
        return { kind: 'unavailable', message: describeError(error, targetOf(settings)) };
      }
      await clock.sleep(wait, new AbortController().signal);
    }
  }
}

/** Whether an error is permanent, such as wrong credentials or a missing database, so that waiting does not help. */
function isFinal(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return kindOfError(error) === 'refused' || (typeof code === 'string' && /^(?:28|3D)/.test(code));
}

async function migrate(
  run: RunSql,
  { program, at }: { readonly program: string; readonly at: number },
  target: DatabaseTarget,
): Promise<StoreOpenError | undefined> {
  await run(`SELECT pg_advisory_xact_lock(${migrationLock})`);
  const version = await versionOf(run);
  if (version > schemaSteps.length) {
    const message = `the database '${target.database}' has schema version ${version}, and this release supports version ${schemaSteps.length}: install the newer release again`;
    return { kind: 'newer', message };
  }
  if (version === schemaSteps.length) return undefined;
  const { rows } = await run(
    `SELECT current_setting('server_encoding') AS encoding, to_regnamespace('${schemaName}') IS NOT NULL AS has_schema`,
  );
  if (rows[0]?.encoding !== 'UTF8') {
    const message = `the encoding of the database '${target.database}' is ${String(rows[0]?.encoding)}: create it with ENCODING 'UTF8'`;
    return { kind: 'unavailable', message };
  }
  // A schema that an administrator created for the user needs no further privilege.
  if (rows[0]?.has_schema !== true) await run(`CREATE SCHEMA ${schemaName}`);
  await run(`SET LOCAL search_path = ${schemaName}`);
  for (const statement of schemaSteps.slice(version).flat()) await run(statement);
  await run(`INSERT INTO ${versionsTable} (version, program, at) VALUES ($1, $2, $3)`, [
    schemaSteps.length,
    program,
    at,
  ]);
  return undefined;
}

/** Returns the version of the schema; 0 without one. */
export async function versionOf(run: RunSql): Promise<number> {
  const table = `${schemaName}.${versionsTable}`;
  const { rows: found } = await run('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  if (found[0]?.found !== true) return 0;
  const { rows } = await run(`SELECT coalesce(max(version), 0) AS version FROM ${table}`);
  return Number(rows[0]?.version);
}
