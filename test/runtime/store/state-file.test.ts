import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrationRecords } from '../../../src/runtime/store/migration-records.ts';
import type { MigrationSteps } from '../../../src/runtime/store/migrations.ts';
import { DatabaseMissing } from '../../../src/runtime/store/sqlite-errors.ts';
import { lockFolder } from '../../../src/runtime/store/state-directory.ts';
import { openStateFile, type StateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { note, noteTables } from './notes.ts';
import { temporaryStateDir } from './temporary-folder.ts';

function opened(folder: string, steps: MigrationSteps = [noteTables]): StateFile {
  const file = openStateFile(folder, { steps });
  if (!file.ok) throw new Error(file.error.message);
  return file.value;
}

/** A folder with a database that holds many rows and was closed. */
function filledFolder(): string {
  const folder = temporaryStateDir();
  const { database } = opened(folder);
  database.commit([Array.from({ length: 2000 }, (_, id) => note(String(id), 'x'.repeat(200)))]);
  database.close();
  return folder;
}

function countIn({ database }: StateFile): number {
  return database.count({ table: 'notes' });
}

describe('the file of the state', () => {
  it('uses a write-ahead log and full synchronization, for any build of SQLite', () => {
    const { database } = opened(temporaryStateDir());
    onTestFinished(() => database.close());
    expect(database.texts('PRAGMA journal_mode')).toEqual(['wal']);
    expect(database.number('PRAGMA synchronous')).toBe(2);
    expect(database.number('PRAGMA auto_vacuum')).toBe(2);
    expect(database.number('PRAGMA user_version')).toBe(1);
  });

  it('has the same rows when it is opened again', () => {
    const folder = filledFolder();
    const file = opened(folder);
    expect(countIn(file)).toBe(2000);
    expect(file.movedAside).toBeUndefined();
    expect(file.database.number('PRAGMA synchronous')).toBe(2);
    file.database.close();
    expect(readdirSync(folder)).toEqual(['state.db']);
  });

  it('is readable only by its owner, with its log and its lock, also if others could read it before', () => {
    const folder = temporaryStateDir();
    for (const name of ['state.db', 'lock']) writeFileSync(join(folder, name), '', { mode: 0o666 });
    const lock = lockFolder(folder);
    const { database } = opened(folder);
    onTestFinished(() => {
      database.close();
      lock.release();
    });
    const modes = readdirSync(folder).map(
      (name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`,
    );
    expect(modes.map((mode) => mode.replace(/^\S+ /, ''))).toEqual(modes.map(() => '600'));
    expect(modes).toEqual(expect.arrayContaining(['lock 600', 'state.db 600', 'state.db-wal 600']));
  });

  it('is refused when a newer program wrote it, and is not changed', () => {
    const folder = temporaryStateDir();
    opened(folder, [noteTables, [], []]).database.close();
    const before = readFileSync(stateFilePath(folder));
    expect(openStateFile(folder, { steps: [noteTables] })).toEqual({
      ok: false,
      error: {
        kind: 'newer',
        message: `'${stateFilePath(folder)}' has schema version 3 and was written by a newer release; this one supports version 1. Start the newer release, or move the file away to start with an empty state`,
      },
    });
    expect(readFileSync(stateFilePath(folder)).equals(before)).toBe(true);
  });

  it.each([
    [0, ['CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT'], 'table notes already exists'],
    [1, ['CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT', ...noteTables.slice(1)], 'no column notes.text'],
  ])(
    'is refused with version %d and the tables of an unreleased program, and is not changed',
    (version, tables, why) => {
      const folder = temporaryStateDir();
      const found = new DatabaseSync(stateFilePath(folder));
      for (const statement of [...tables, `PRAGMA user_version = ${version}`]) found.exec(statement);
      found.close();
      const before = readFileSync(stateFilePath(folder));
      expect(openStateFile(folder, { steps: [noteTables] })).toEqual({
        ok: false,
        error: {
          kind: 'older',
          message: `'${stateFilePath(folder)}' has schema version ${version} but the tables of a development version, which cannot be migrated (${why}); move it away to start with an empty state`,
        },
      });
      expect(readFileSync(stateFilePath(folder)).equals(before)).toBe(true);
      expect(readdirSync(folder)).toEqual(['state.db']);
    },
  );

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['is text', () => Buffer.from('this is plain text and not a database!!!'.repeat(100))],
    ['was cut off', (bytes) => bytes.subarray(0, bytes.length / 2)],
    [
      'has a page of zeros',
      (bytes) => Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(4096), bytes.subarray(12_288)]),
    ],
    ['has noise in its midst', (bytes) => Buffer.from(bytes).fill('noise', 20_480, 60_000)],
    ['has a broken header', (bytes) => Buffer.from(bytes).fill(255, 16, 100)],
    ['is of a version that cannot be', (bytes) => Buffer.from(bytes).fill(255, 60, 64)],
  ])('that %s is moved aside, and a new one is created', (_, spoilt) => {
    const folder = filledFolder();
    const bytes = spoilt(readFileSync(stateFilePath(folder)));
    writeFileSync(stateFilePath(folder), bytes);
    const file = opened(folder);
    expect(countIn(file)).toBe(0);
    expect(file.movedAside).toMatch(
      /could not be read: .+; it was moved to '.+state\.db\.corrupt-.+' and an empty one/,
    );
    file.database.close();
    const aside = readdirSync(folder).filter((name) => name.startsWith('state.db.corrupt-'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(folder, aside[0] ?? '')).equals(bytes)).toBe(true);
    expect(opened(folder).movedAside).toBeUndefined();
  });

  it('does not use the log of a database that is moved aside', () => {
    const folder = temporaryStateDir();
    writeFileSync(stateFilePath(folder), 'no database, but long enough to differ from an empty one');
    writeFileSync(`${stateFilePath(folder)}-wal`, 'no log');
    opened(folder).database.close();
    expect(readdirSync(folder).toSorted()).toEqual(['state.db', expect.stringMatching(/^state\.db\.corrupt-.+Z$/)]);
  });

  it('that was moved or replaced is reported as missing', () => {
    const folder = filledFolder();
    const file = opened(folder);
    file.verifyLocation();
    renameSync(stateFilePath(folder), join(folder, 'elsewhere'));
    expect(() => file.verifyLocation()).toThrow(DatabaseMissing);
    new DatabaseSync(stateFilePath(folder)).close();
    writeFileSync(stateFilePath(folder), '');
    expect(() => file.verifyLocation()).toThrow(DatabaseMissing);
    file.database.close();
  });
});

describe('a migration of the file', () => {
  const later = ["ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'unknown'"];
  const copy = 'state.db.version-1.backup';

  it('follows a copy of the previous version', () => {
    const folder = filledFolder();
    const { database } = opened(folder, [noteTables, later]);
    expect(database.find({ table: 'notes', limit: 1 })).toMatchObject([{ author: 'unknown' }]);
    database.close();
    expect(readdirSync(folder).toSorted()).toEqual(['state.db', copy]);
    renameSync(join(folder, copy), stateFilePath(folder));
    expect(countIn(opened(folder))).toBe(2000);
  });

  it('that fails does not change the database', () => {
    const folder = filledFolder();
    expect(() => opened(folder, [noteTables, later, ['CREATE NONSENSE']])).toThrow('syntax error');
    expect(countIn(opened(folder))).toBe(2000);
  });

  it('overwrites an unfinished copy, and does not start if no copy can be made', () => {
    const folder = filledFolder();
    writeFileSync(join(folder, `${copy}.unfinished`), 'left over');
    mkdirSync(join(folder, copy));
    expect(() => opened(folder, [noteTables, later])).toThrow(
      /^it was not migrated from schema version 1 to 2, because its copy '.+version-1\.backup' cannot be written: EISDIR/,
    );
    expect(readdirSync(folder).toSorted()).toEqual(['state.db', copy]);
    expect(countIn(opened(folder))).toBe(2000);
    rmdirSync(join(folder, copy));
    opened(folder, [noteTables, later]).database.close();
    expect(readFileSync(join(folder, copy)).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('keeps the copy until the next migration', () => {
    const folder = filledFolder();
    for (const version of [2, 3, 4]) {
      opened(folder, [noteTables, later, [], []].slice(0, version)).database.close();
      const copies = readdirSync(folder).filter((name) => name.endsWith('.backup'));
      expect(copies).toEqual([`state.db.version-${version - 1}.backup`]);
    }
    renameSync(stateFilePath(folder), join(folder, 'elsewhere'));
    opened(folder).database.close();
    expect(readdirSync(folder)).toContain('state.db.version-3.backup');
  });

  it('leaves a copy that only its owner can read', () => {
    const folder = filledFolder();
    opened(folder, [noteTables, later]).database.close();
    expect(statSync(join(folder, copy)).mode & 0o777).toBe(0o600);
  });

  it('leaves a message for an older program with the copy and the command', () => {
    const folder = join(temporaryStateDir(), "it's here");
    mkdirSync(folder);
    const records = [...later, migrationRecords];
    openStateFile(folder, { steps: [noteTables] });
    const newer = openStateFile(folder, { steps: [noteTables, records], program: '2.0.0' });
    if (newer.ok) newer.value.database.close();
    expect(openStateFile(folder, { steps: [noteTables] })).toEqual({
      ok: false,
      error: {
        kind: 'newer',
        message:
          `'${stateFilePath(folder)}' has schema version 2 and was written by a newer release (2.0.0); this one supports version 1. ` +
          'Start the newer release, or return to the copy of version 1 from before its migration: ' +
          `graphwarden state restore ${inShell(join(folder, copy))} --state-dir ${inShell(folder)}`,
      },
    });
  });

  it('makes no copy of a new file', () => {
    const folder = temporaryStateDir();
    opened(folder, [noteTables, later]).database.close();
    expect(readdirSync(folder)).toEqual(['state.db']);
  });
});

function inShell(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
