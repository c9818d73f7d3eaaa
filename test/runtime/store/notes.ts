import type { StoreChange } from '../../../src/kernel/store.ts';

/** Tables of a program that does not exist, so that tests of the store do not depend on what others keep in theirs. */
export const noteTables: readonly string[] = [
  'CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL, rank INTEGER) STRICT',
  'CREATE TABLE transitions (id TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL, text TEXT) STRICT',
  'CREATE TABLE notifications (id TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL, text TEXT) STRICT',
];

/** A change that puts a note. */
export function note(id: string, text: string, rank: number | null = null): StoreChange {
  return { table: 'notes', put: { id, text, rank } };
}
