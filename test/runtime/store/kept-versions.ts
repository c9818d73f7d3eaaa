import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Database } from '../../../src/runtime/store/database.ts';
import { tablesOf } from '../../../src/runtime/store/history.ts';
import { openStateFile, type StateFileOptions, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { temporaryStateDir } from './temporary-folder.ts';

/** Schema versions of which a database is kept. */
export const keptVersions = [1, 4, 5, 7, 8, 9] as const;

/** Returns a folder with the kept database of an earlier version. */
export function folderOfVersion(version: (typeof keptVersions)[number]): string {
  const folder = temporaryStateDir();
  const fixture = new URL(`../../fixtures/state/version-${version}.db.gz`, import.meta.url);
  writeFileSync(stateFilePath(folder), gunzipSync(readFileSync(fixture)));
  return folder;
}

/** Opens the database of a folder, as a daemon does at its start. */
export function openFolder(folder: string, options: StateFileOptions): Database {
  const opened = openStateFile(folder, options);
  if (!opened.ok) throw new Error(opened.error.message);
  if (opened.value.movedAside !== undefined) throw new Error(opened.value.movedAside);
  return opened.value.database;
}

/** Numbers of rows by table. */
export function rowCounts(database: Database): Readonly<Record<string, number>> {
  return Object.fromEntries(tablesOf(database).map((table) => [table, database.count({ table })]));
}
