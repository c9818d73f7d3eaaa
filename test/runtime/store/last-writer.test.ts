import { expect, it } from 'vitest';
import { tablesOf } from '../../../src/runtime/store/history.ts';
import { lastWriterOf, setLastWriter } from '../../../src/runtime/store/last-writer.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';

it('the last writer of a database is unknown until a process writes, and is not a part of its schema', () => {
  const database = openInMemoryDatabase();
  const tables = tablesOf(database);
  expect(lastWriterOf(database)).toBeUndefined();
  setLastWriter(database, 'one');
  setLastWriter(database, 'two');
  expect(lastWriterOf(database)).toBe('two');
  expect(tablesOf(database)).toEqual(tables);
});
