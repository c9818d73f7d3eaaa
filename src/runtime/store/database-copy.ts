import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database } from './database.ts';
import { schemaVersionOf } from './migrations.ts';
import { DatabaseNotCopied, isUnreadableDatabase, messageOf } from './sqlite-errors.ts';
import { makePrivateFile, syncPath } from './state-directory.ts';

/** Step of a copy after which a crash is tested. */
export type CopyPoint = 'file created' | 'rows copied' | 'copy checked' | 'copy synced' | 'copy renamed';

/**
 * Copies a database, as it is at one instant, to a file that only its owner can read. The copy is checked, and on the disk
 * when the function returns; after a crash, all of it exists or none. An existing file is replaced.
 */
export function copyDatabase(
  database: Database,
  path: string,
  reached: (point: CopyPoint) => void = () => undefined,
): void {
  const unfinished = `${path}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    makePrivateFile(unfinished);
    reached('file created');
    database.run(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
    reached('rows copied');
    verifyCopy(unfinished, schemaVersionOf(database));
    reached('copy checked');
    syncPath(unfinished);
    reached('copy synced');
    renameSync(unfinished, path);
    reached('copy renamed');
    syncPath(dirname(path));
  } catch (error) {
    // A part of a copy must not keep the disk full.
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function verifyCopy(path: string, version: number): void {
  const copy = new Database(new DatabaseSync(path, { readOnly: true }));
  try {
    const [found] = copy.texts('PRAGMA integrity_check(1)');
    if (found !== 'ok') throw new DatabaseNotCopied(`the copy is damaged: ${found}`);
    if (schemaVersionOf(copy) !== version) throw new DatabaseNotCopied('the copy has another schema version');
  } catch (error) {
    if (isUnreadableDatabase(error)) throw new DatabaseNotCopied(`the copy is damaged: ${messageOf(error)}`);
    throw error;
  } finally {
    copy.close();
  }
}
