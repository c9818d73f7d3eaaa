import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Retention } from '../../../src/kernel/store.ts';
import { StateDatabase, type StateDatabaseOptions } from '../../../src/runtime/store/state-database.ts';
import { stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const done = { ok: true, value: undefined };
const well = { durable: true, problem: undefined, wasRecreated: false };
const now = Date.UTC(2026, 8, 22);

function opened(folder: string, options: Partial<StateDatabaseOptions> = {}): StateDatabase {
  const keeper = StateDatabase.open({
    folder,
    retention: generous,
    steps: [noteTables],
    retryAfter: 0,
    trimAfter: 0,
    ...options,
  });
  if (!keeper.ok) throw new Error(keeper.error.message);
  onTestFinished(() => keeper.value.close());
  return keeper.value;
}

/** Returns a folder whose state database contains these notes. */
function folderWith(...ids: readonly string[]): string {
  const folder = join(temporaryStateDir(), 'state');
  const keeper = opened(folder);
  keeper.commit([ids.map((id) => note(id, 'old'))], now);
  keeper.close();
  return folder;
}

function idsIn(keeper: StateDatabase): readonly unknown[] {
  return keeper.find({ table: 'notes', order: ['id'] }).map(({ id }) => id);
}

function past(id: string, at: number) {
  return { table: 'transitions', put: { id, at, text: null } };
}

function drop(id: string) {
  return { table: 'notes', drop: { id } };
}

describe('a state database', () => {
  it('creates its folder, and finds committed rows', () => {
    const keeper = opened(join(temporaryStateDir(), 'a', 'b'));
    expect(keeper.status).toMatchObject(well);
    expect(keeper.commit([[note('1', 'a')], [note('2', 'b')]], now)).toEqual([done, done]);
    expect(idsIn(keeper)).toEqual(['1', '2']);
    expect(keeper.count({ table: 'notes' })).toBe(2);
  });

  it('is refused if another daemon uses the folder, or a newer program wrote it', () => {
    const folder = folderWith('1');
    const options = { folder, retention: generous, retryAfter: 0, trimAfter: 0 };
    const first = opened(folder, { steps: [noteTables, []] });
    expect(StateDatabase.open({ ...options, steps: [noteTables] })).toMatchObject({
      ok: false,
      error: { kind: 'locked' },
    });
    first.close();
    expect(StateDatabase.open({ ...options, steps: [noteTables] })).toMatchObject({
      ok: false,
      error: { kind: 'newer' },
    });
    // A refused attempt releases the lock of the folder.
    expect(idsIn(opened(folder, { steps: [noteTables, []] }))).toEqual(['1']);
  });

  it('starts empty if the database is unreadable, and reports that until it closes', () => {
    const folder = folderWith('1');
    writeFileSync(stateFilePath(folder), 'x'.repeat(5000));
    const keeper = opened(folder);
    const status = {
      durable: true,
      wasRecreated: true,
      problem: expect.stringMatching(/not a database; it was moved to/),
    };
    expect(keeper.status).toMatchObject(status);
    expect(keeper.commit([[note('2', 'a')]], now)).toEqual([done]);
    expect(keeper.status).toMatchObject(status);
    keeper.close();
    expect(opened(folder).status).toMatchObject(well);
  });

  it('deletes expired rows', () => {
    const retention: Retention = { ...generous, transitions: 1000 };
    const keeper = opened(folderWith(), { retention });
    keeper.commit([[past('a', now - 1001), past('b', now - 1000)]], now);
    expect(keeper.find({ table: 'transitions' })).toMatchObject([{ id: 'b' }]);
    const patient = opened(folderWith(), { retention, trimAfter: 3_600_000 });
    patient.commit([[]], now);
    patient.commit([[past('a', now - 1001)]], now);
    expect(patient.count({ table: 'transitions' })).toBe(1);
  });
});

describe('a state database without its disk', () => {
  it.each<[string, (folder: string) => () => void, string]>([
    ['is a file', fileAt, 'not a directory'],
    ['is below a file', (folder) => fileAt(join(folder, '..')), 'a part of the path is not a directory'],
    ['cannot be locked', foldersAt((folder) => join(folder, 'lock')), 'the database cannot be opened'],
    ['has no file for a database', foldersAt(stateFilePath), 'the database cannot be opened'],
  ])('whose folder %s keeps rows in memory until the folder is usable', (_, spoil, why) => {
    const folder = join(temporaryStateDir(), 'above', 'state');
    const mend = spoil(folder);
    const keeper = opened(folder);
    const error = `the state of '${folder}' is kept only in memory: ${why}`;
    expect(keeper.status).toMatchObject({ durable: false, problem: error, wasRecreated: false });
    expect(keeper.commit([[note('1', 'a')], [note('2', 'b')]], now)).toEqual([
      { ok: false, error },
      { ok: false, error },
    ]);
    expect(idsIn(keeper)).toEqual(['1', '2']);
    mend();
    expect(keeper.commit([[note('3', 'c'), drop('1')]], now)).toEqual([done]);
    expect(keeper.status).toMatchObject(well);
    keeper.close();
    expect(idsIn(opened(folder))).toEqual(['2', '3']);
  });

  it('distinguishes a batch that can never be stored from one that is kept in memory', () => {
    const folder = join(temporaryStateDir(), 'state');
    fileAt(folder);
    const outcomes = opened(folder).commit([[{ table: 'nowhere', put: { id: '1' } }]], now);
    expect(outcomes).toEqual([{ ok: false, error: 'cannot be stored: no such table: nowhere' }]);
  });

  it('loads earlier rows if they can still be read', () => {
    const folder = folderWith('1', '2');
    const mend = foldersAt(
      () => join(folder, 'lock'),
      () => rmSync(join(folder, 'lock')),
    )(folder);
    const keeper = opened(folder);
    expect(keeper.status.durable).toBe(false);
    keeper.commit([[note('3', 'c'), drop('1')]], now);
    expect(idsIn(keeper)).toEqual(['2', '3']);
    mend();
    keeper.commit([[]], now);
    expect([keeper.status, idsIn(keeper)]).toMatchObject([well, ['2', '3']]);
  });

  it('that never read earlier rows does not delete them', () => {
    const folder = folderWith('1', '2');
    renameSync(folder, `${folder}.away`);
    fileAt(folder);
    const keeper = opened(folder);
    keeper.commit([[note('2', 'new'), note('3', 'new')]], now);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    keeper.commit([[]], now);
    expect(keeper.find({ table: 'notes', order: ['id'] })).toMatchObject([
      { text: 'old' },
      { text: 'new' },
      { text: 'new' },
    ]);
  });

  it('waits before it tries the disk again', () => {
    const folder = join(temporaryStateDir(), 'state');
    const mend = fileAt(folder);
    const keeper = opened(folder, { retryAfter: 3_600_000 });
    mend();
    expect(keeper.commit([[note('1', 'a')]], now)).toMatchObject([{ ok: false }]);
    expect(keeper.status.durable).toBe(false);
    // Its end is the last chance.
    keeper.close();
    expect(idsIn(opened(folder))).toEqual(['1']);
  });
});

describe('a state database that loses its disk', () => {
  it('continues in memory with all rows, and writes later rows as soon as the disk works', () => {
    const folder = folderWith('1', '2');
    const keeper = opened(folder);
    keeper.commit([[note('3', 'before')]], now);
    renameSync(folder, `${folder}.away`);
    fileAt(folder);
    expect(keeper.commit([[note('4', 'between'), drop('1')]], now)).toMatchObject([{ ok: false }]);
    expect(keeper.status).toMatchObject({
      durable: false,
      problem: expect.stringContaining('kept only in memory: the database cannot be opened'),
    });
    expect(idsIn(keeper)).toEqual(['2', '3', '4']);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    expect(keeper.commit([[note('5', 'after')]], now)).toEqual([done]);
    expect(keeper.status).toMatchObject(well);
    keeper.close();
    expect(idsIn(opened(folder))).toEqual(['2', '3', '4', '5']);
  });

  it('creates a new file from the rows in memory if the file is damaged', () => {
    const folder = folderWith();
    const keeper = opened(folder);
    const many = Array.from({ length: 5000 }, (_, index) => note(`many ${index}`, 'x'.repeat(2000)));
    keeper.commit([many, [past('a', now)]], now);
    keeper.close();
    const again = opened(folder);
    const bytes = readFileSync(stateFilePath(folder));
    writeFileSync(stateFilePath(folder), bytes.fill('noise', 40_000, bytes.length / 2));
    expect(() => idsIn(again)).not.toThrow();
    expect(again.status).toMatchObject({ durable: false, problem: expect.stringContaining('the database is damaged') });
    expect(again.commit([[note('1', 'a')]], now)).toEqual([done]);
    expect(again.status).toMatchObject({ durable: true, wasRecreated: true });
    expect(again.find({ table: 'notes', order: ['id'], limit: 1 })).toMatchObject([{ id: '1' }]);
    expect(again.find({ table: 'transitions' })).toMatchObject([{ id: 'a' }]);
  });

  it('creates a new database if its folder was deleted', () => {
    const folder = folderWith('1');
    const keeper = opened(folder);
    rmSync(folder, { recursive: true });
    expect(keeper.commit([[note('2', 'a')]], now)).toMatchObject([{ ok: false }]);
    expect(keeper.commit([[note('3', 'a')]], now)).toEqual([done]);
    keeper.close();
    expect(idsIn(opened(folder))).toEqual(['1', '2', '3']);
  });

  it('detects the loss of its folder during a read', () => {
    const folder = folderWith('1');
    const keeper = opened(folder);
    rmSync(folder, { recursive: true });
    expect(idsIn(keeper)).toEqual(['1']);
    expect(keeper.count({ table: 'notes' })).toBe(1);
    expect(keeper.status.durable).toBe(false);
  });

  it('does not use the folder if another daemon started in between', () => {
    const folder = folderWith('1');
    const keeper = opened(folder);
    rmSync(folder, { recursive: true });
    keeper.commit([[note('2', 'a')]], now);
    const other = opened(folder);
    keeper.commit([[note('3', 'a')]], now);
    expect(keeper.status.problem).toContain('another daemon uses the state directory');
    expect(idsIn(other)).toEqual([]);
    other.close();
    expect(keeper.commit([[]], now)).toEqual([done]);
    expect(idsIn(keeper)).toEqual(['1', '2', '3']);
  });

  it('keeps less history in memory than on disk', () => {
    const folder = folderWith();
    const keeper = opened(folder);
    const transitions = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        table: 'transitions',
        put: { id: String(from + index), at: now + from + index, text: 'x'.repeat(10_000) },
      }));
    rmSync(folder, { recursive: true });
    fileAt(folder);
    for (let batch = 0; batch < 10; batch += 1) keeper.commit([transitions(batch * 1000, 1000)], now);
    expect(keeper.count({ table: 'transitions' })).toBeLessThan(8000);
    expect(keeper.find({ table: 'transitions', order: ['-at'], limit: 1 })).toMatchObject([{ id: '9999' }]);
  });
});

/** Puts a file in place of a folder; returns a function that removes it. */
function fileAt(path: string): () => void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'no folder');
  return () => rmSync(path);
}

/** Puts a folder where a file should be. */
function foldersAt(path: (folder: string) => string, before: () => void = () => undefined) {
  return (folder: string): (() => void) => {
    before();
    mkdirSync(path(folder), { recursive: true });
    return () => rmdirSync(path(folder));
  };
}
