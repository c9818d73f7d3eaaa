import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The hold of one daemon on its folder. */
export interface FolderLock {
  readonly release: () => void;
}

/**
 * Takes a folder for this process, or throws where another has it. Node cannot lock files but SQLite can: an open
 * transaction on a file beside the database lasts as long as the process, and ends with it however it dies.
 */
export function lockFolder(folder: string): FolderLock {
  const connection = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    throw error;
  }
  return { release: () => connection.close() };
}
