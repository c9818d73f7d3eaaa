import { existsSync, rmSync } from 'node:fs';
import { err, ok, type Result } from '../../kernel/result.ts';
import type {
  MigrationTarget,
  SharedStateSettings,
  SharedStateToolOptions,
  SharedStateTools,
  StateMigration,
} from '../../model/replica-database.ts';
import { migrations } from '../store/migrations.ts';
import { openReadOnlyDatabase } from '../store/read-only-database.ts';
import { openStateFile, stateFilePath } from '../store/state-file.ts';
import { lockUnusedFolder } from '../store/state-tools.ts';
import { PostgresConnection } from './connection.ts';
import { checkDatabase } from './database-check.ts';
import { describeError } from './errors.ts';
import { prepareSchema } from './open-postgres.ts';
import { postgresSettings } from './open-replica-state.ts';
import { copyFromPostgres, copyToPostgres, type TableCounts } from './state-migration.ts';

/** Tools for a shared database. */
export function sharedStateTools(options: SharedStateToolOptions): SharedStateTools {
  return {
    check: (settings) => withConnection(settings, options, (connection) => checkDatabase(connection)),
    migrate: (target, { settings, folder }) =>
      withConnection(settings, options, (connection) =>
        migrateState(target, { connection, settings, folder, options }),
      ),
  };
}

async function withConnection<T>(
  settings: SharedStateSettings,
  { files, clock }: SharedStateToolOptions,
  use: (connection: PostgresConnection) => Promise<T>,
): Promise<Result<T, string>> {
  const connection = new PostgresConnection(postgresSettings(settings, files), clock);
  try {
    return ok(await use(connection));
  } catch (error) {
    return err(describeError(error, connection.target));
  } finally {
    await connection.close();
  }
}

interface MigrationLocations {
  readonly connection: PostgresConnection;
  readonly settings: SharedStateSettings;
  readonly folder: string;
  readonly options: SharedStateToolOptions;
}

async function migrateState(target: MigrationTarget, locations: MigrationLocations): Promise<StateMigration> {
  const { connection, folder } = locations;
  const lock = lockUnusedFolder(folder);
  try {
    const path = stateFilePath(folder);
    const database = `the database '${connection.target.database}' at ${connection.target.hosts}`;
    if (target === 'postgres') return { from: path, to: database, tables: await toPostgres(locations) };
    return { from: database, to: path, tables: await toDirectory(locations) };
  } finally {
    lock.release();
  }
}

async function toPostgres({ connection, settings, folder, options }: MigrationLocations): Promise<TableCounts> {
  const source = openReadOnlyDatabase(folder, migrations);
  if (!source.ok) throw new TypeError(`${source.error}; start this release once with the state directory`);
  try {
    const { files, clock, program } = options;
    const refusal = await prepareSchema(connection, {
      settings: postgresSettings(settings, files),
      clock,
      program,
      maxWait: 0,
    });
    if (refusal !== undefined) throw new TypeError(refusal.message);
    return await copyToPostgres(source.value, connection);
  } finally {
    source.value.close();
  }
}

async function toDirectory({ connection, folder, options }: MigrationLocations): Promise<TableCounts> {
  const path = stateFilePath(folder);
  if (existsSync(path))
    throw new TypeError(`the state directory already has the database '${path}'; move it away first`);
  const opened = openStateFile(folder, { steps: migrations, program: options.program });
  if (!opened.ok) throw new TypeError(opened.error.message);
  const { database } = opened.value;
  try {
    const counts = await copyFromPostgres(connection, database);
    database.close();
    return counts;
  } catch (error) {
    database.close();
    // A part of a copy must not look like a state.
    for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
    throw error;
  }
}
