import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { err, ok, type Result } from '../../kernel/result.ts';
import { Database } from './database.ts';
import { type MigrationSteps, schemaVersionOf } from './migrations.ts';
import { messageOf } from './sqlite-errors.ts';
import { stateFilePath } from './state-file.ts';

/** Opens the database of a folder without ever writing to it; errors are sentences. */
export function openReadOnlyDatabase(
  folder: string,
  steps: MigrationSteps,
  { isOlderAllowed = false }: { readonly isOlderAllowed?: boolean } = {},
): Result<Database, string> {
  const path = stateFilePath(folder);
  if (!existsSync(path)) return err(`cannot read '${path}': no such file`);
  try {
    const database = new Database(new DatabaseSync(readOnlyUri(path), { readOnly: true, timeout: 1000 }));
    const version = schemaVersionOf(database);
    if (version === steps.length || (isOlderAllowed && version > 0 && version < steps.length)) return ok(database);
    database.close();
    return err(`'${path}' has version ${version}, and this program reads only version ${steps.length}`);
  } catch (error) {
    return err(`cannot read '${path}': ${messageOf(error)}`);
  }
}

/**
 * Returns the URI of a database. Without a write-ahead log no process writes to the file, so it is opened as immutable:
 * otherwise SQLite creates files next to it that belong to the user of the reader and not to the daemon.
 */
export function readOnlyUri(path: string, { isInUse = false }: { readonly isInUse?: boolean } = {}): URL {
  const address = pathToFileURL(path);
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!isInUse && (log === undefined || log.size === 0)) address.search = '?immutable=1';
  return address;
}
