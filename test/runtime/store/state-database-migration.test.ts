import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { MigrationSteps } from '../../../src/runtime/store/migrations.ts';
import { StateDatabase } from '../../../src/runtime/store/state-database.ts';
import { stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';
import { temporaryStateDir } from './temporary-folder.ts';

function opened(folder: string, steps: MigrationSteps): StateDatabase {
  const keeper = StateDatabase.open({ folder, retention: generous, steps, retryAfter: 0, trimAfter: 0 });
  if (!keeper.ok) throw new Error(keeper.error.message);
  onTestFinished(() => keeper.value.close());
  return keeper.value;
}

function idsIn(keeper: StateDatabase): readonly unknown[] {
  return keeper.find({ table: 'notes', order: ['id'] }).map(({ id }) => id);
}

it('a state database that cannot be copied before a migration works from memory with all rows, and is migrated later', () => {
  const folder = temporaryStateDir();
  const former = opened(folder, [noteTables]);
  former.commit([[note('1', 'old'), note('2', 'old')]], 0);
  former.close();
  const before = readFileSync(stateFilePath(folder));
  const steps = [noteTables, ["ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'x'"]];
  const copy = `${stateFilePath(folder)}.version-1.backup`;
  mkdirSync(copy);
  const keeper = opened(folder, steps);
  expect(keeper.status).toMatchObject({
    durable: false,
    problem: expect.stringContaining(
      `the state of '${folder}' is kept only in memory: it was not migrated from schema version 1 to 2, because its copy '${copy}' cannot be written`,
    ),
  });
  expect(keeper.find({ table: 'notes', where: [{ column: 'id', is: '=', value: '1' }] })).toMatchObject([
    { text: 'old', author: 'x' },
  ]);
  keeper.commit([[note('3', 'c'), { table: 'notes', drop: { id: '1' } }]], 0);
  expect(idsIn(keeper)).toEqual(['2', '3']);
  expect(readFileSync(stateFilePath(folder)).equals(before)).toBe(true);
  rmdirSync(copy);
  keeper.commit([[]], 0);
  expect([keeper.status, idsIn(keeper)]).toMatchObject([{ durable: true, problem: undefined }, ['2', '3']]);
  keeper.close();
  expect(idsIn(opened(folder, steps))).toEqual(['2', '3']);
});
