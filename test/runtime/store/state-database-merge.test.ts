import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { StateDatabase } from '../../../src/runtime/store/state-database.ts';
import { generous } from './retention.ts';
import { temporaryStateDir } from './temporary-folder.ts';

function opened(folder: string): StateDatabase {
  const options = { folder, retention: generous, steps: migrations, retryAfter: 0, trimAfter: 0 };
  const database = StateDatabase.open(options);
  if (!database.ok) throw new Error(database.error.message);
  return database.value;
}

/** Stored name of the column with the notifications. */
const contentColumn = 'owed';

function queue(key: string, content: string): StoreChange {
  return { table: 'lanes', put: { receiver: 'one', key, [contentColumn]: content } };
}

function queuesIn(database: StateDatabase): readonly string[] {
  return database.find({ table: 'lanes', order: ['key'] }).map((row) => `${row.key} ${row[contentColumn]}`);
}

function unmergedIn(database: StateDatabase): readonly string[] {
  const rows = database.find({ table: 'unmerged_rows', order: ['content'] });
  return rows.map(({ content }) => JSON.parse(String(content))).map((row) => `${row.key} ${row[contentColumn]}`);
}

/** Returns the folder of a daemon that has ended. */
function folderWith(...changes: readonly StoreChange[]): string {
  const folder = join(temporaryStateDir(), 'state');
  const earlier = opened(folder);
  earlier.commit([changes], 0);
  earlier.close();
  return folder;
}

/** Moves a folder away, and back over its replacement. */
function away(folder: string): () => void {
  renameSync(folder, `${folder}.away`);
  return () => {
    rmSync(folder, { recursive: true, force: true });
    renameSync(`${folder}.away`, folder);
  };
}

it.each<[string, (folder: string) => void]>([
  ['a file is in the way', (folder) => writeFileSync(folder, '')],
  ['the mount point is empty, and becomes a state directory of its own', (folder) => mkdirSync(folder)],
])('a state database merges its rows with those of a folder that appears after the start, where %s', (_, block) => {
  const folder = folderWith(queue('a', 'old'), queue('b', 'old'));
  const giveBack = away(folder);
  block(folder);
  const late = opened(folder);
  late.commit([[queue('b', 'new'), queue('c', 'new')]], 0);
  giveBack();
  late.commit([[]], 0);
  late.commit([[]], 0);
  expect(late.status).toMatchObject({ durable: true, mergeCount: 1 });
  expect(queuesIn(late)).toEqual(['b new', 'c new']);
  expect(unmergedIn(late)).toEqual(['a old', 'b old']);
  // The application does not know the row of `a` yet.
  late.commit([[queue('a', 'new')]], 0);
  late.close();
  const reopened = opened(folder);
  expect(queuesIn(reopened)).toEqual(['a new', 'b new', 'c new']);
  expect(unmergedIn(reopened)).toEqual(['a old', 'b old']);
});

it('a state database keeps deletions from the time without its folder, also after a while in another folder', () => {
  const folder = folderWith(queue('a', 'old'), queue('b', 'old'));
  const database = opened(folder);
  const giveBack = away(folder);
  database.commit([[{ table: 'lanes', drop: { receiver: 'one', key: 'a' } }]], 0);
  database.commit([[queue('c', 'new')]], 0);
  expect(database.status).toMatchObject({ durable: true, mergeCount: 1 });
  giveBack();
  database.commit([[]], 0);
  database.commit([[]], 0);
  expect(queuesIn(database)).toEqual(['b old', 'c new']);
  expect(database.find({ table: 'unmerged_rows' })).toEqual([]);
});

it('a state database merges its rows with those of another daemon that used the folder in between', () => {
  const folder = folderWith(queue('a', 'old'));
  const database = opened(folder);
  const giveBack = away(folder);
  writeFileSync(folder, '');
  database.commit([[{ table: 'lanes', drop: { receiver: 'one', key: 'a' } }]], 0);
  giveBack();
  const other = opened(folder);
  other.commit([[queue('b', 'other')]], 0);
  other.close();
  database.commit([[queue('c', 'new')]], 0);
  expect(queuesIn(database)).toEqual(['c new']);
  expect(unmergedIn(database)).toEqual(['a old', 'b other']);
});

it('a state database does not duplicate a row that it also has in memory', () => {
  const folder = folderWith(queue('a', 'old'));
  const giveBack = away(folder);
  writeFileSync(folder, '');
  const late = opened(folder);
  late.commit([[queue('a', 'old')]], 0);
  giveBack();
  late.commit([[]], 0);
  expect(late.status.mergeCount).toBe(1);
  expect(queuesIn(late)).toEqual(['a old']);
  expect(unmergedIn(late)).toEqual([]);
});

/** Returns the schema, which calls `act` at its `nth` use: all of them come while a database is being opened. */
function interruptedSteps(nth: number, act: () => void): typeof migrations {
  let uses = 0;
  return new Proxy(migrations, {
    get(target, name) {
      uses += 1;
      if (uses === nth) act();
      return Reflect.get(target, name);
    },
  });
}

it.each([1, 13, 25, 26, 28, 30, 32, 34, 36])(
  'a state database writes to no folder that is replaced while it is being opened, at moment %d',
  (moment) => {
    const folder = folderWith(queue('a', 'old'));
    const giveBack = away(folder);
    mkdirSync(folder);
    const steps = interruptedSteps(moment, giveBack);
    const late = StateDatabase.open({ folder, retention: generous, steps, retryAfter: 0, trimAfter: 0 });
    if (!late.ok) throw new Error(late.error.message);
    for (const key of ['b', 'c', 'd']) late.value.commit([[queue(key, 'new')]], 0);
    late.value.close();
    const reopened = opened(folder);
    expect([...queuesIn(reopened), ...unmergedIn(reopened)].toSorted()).toEqual(['a old', 'b new', 'c new', 'd new']);
  },
);
