import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { err, ok, type Result } from '../../kernel/result.ts';
import { Database } from './database.ts';
import { versionOf } from './migrate.ts';
import { type Steps, stateFileOf } from './state-file.ts';
import { sentenceOf } from './trouble.ts';

/** Opens the database of a folder without ever writing to it; errors are sentences. */
export function openForReading(folder: string, steps: Steps): Result<Database, string> {
  const path = stateFileOf(folder);
  if (!existsSync(path)) return err(`cannot read '${path}': there is no such file`);
  try {
    const database = new Database(new DatabaseSync(addressOf(path), { readOnly: true, timeout: 1000 }));
    const version = versionOf(database);
    if (version === steps.length) return ok(database);
    database.close();
    return err(`'${path}' has version ${version}, and this program reads version ${steps.length} alone`);
  } catch (error) {
    return err(`cannot read '${path}': ${sentenceOf(error)}`);
  }
}

/**
 * Without a log, nobody writes: then it is read as it lies there, else even a reader would leave files beside it, which
 * belong to whoever looked and not to the daemon.
 */
function addressOf(path: string): URL {
  const address = pathToFileURL(path);
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) address.search = '?immutable=1';
  return address;
}
