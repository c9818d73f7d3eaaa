import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../src/runtime/store/database.ts';
import type { MigrationSteps } from '../../../src/runtime/store/migrations.ts';
import { lockFolder } from '../../../src/runtime/store/state-directory.ts';
import { openStateFile } from '../../../src/runtime/store/state-file.ts';
import { type StateToolOptions, stateTools } from '../../../src/runtime/store/state-tools.ts';
import { note, noteTables } from './notes.ts';
import { temporaryStateDir } from './temporary-folder.ts';

/** Schema of the folders of these functions. */
export const steps: MigrationSteps = [noteTables];

/** Tools for these folders. */
export function tools(options: Partial<StateToolOptions> = {}) {
  return stateTools({ steps, now: Date.now, stdout: new PassThrough(), ...options });
}

function openDatabase(folder: string): Database {
  const opened = openStateFile(folder, { steps });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value.database;
}

/** Returns a folder that a daemon used and left. */
export function stoppedFolder(...ids: readonly string[]): string {
  const folder = temporaryStateDir();
  lockFolder(folder).release();
  const database = openDatabase(folder);
  database.commit([ids.map((id) => note(id, 'text'))]);
  database.close();
  return folder;
}

/** Returns a folder that a daemon uses, with notes that are in the write-ahead log only. */
export function usedFolder(...ids: readonly string[]): { readonly folder: string; readonly database: Database } {
  const folder = stoppedFolder();
  const lock = lockFolder(folder);
  const database = openDatabase(folder);
  database.commit([ids.map((id) => note(id, 'text'))]);
  onTestFinished(() => {
    database.close();
    lock.release();
  });
  return { folder, database };
}

/** Returns the IDs of the notes in a folder. */
export function idsIn(folder: string): readonly unknown[] {
  const database = openDatabase(folder);
  const ids = database.find({ table: 'notes', order: ['id'] }).map(({ id }) => id);
  database.close();
  return ids;
}

/** Returns the path of a backup of a folder. */
export async function backedUp(folder: string): Promise<string> {
  const file = join(temporaryStateDir(), 'backup');
  const backup = await tools().backup(folder, file);
  if (!backup.ok) throw new Error(backup.error);
  return file;
}
