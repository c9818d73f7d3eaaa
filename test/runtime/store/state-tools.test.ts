import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/runtime/store/database.ts';
import type { MigrationSteps } from '../../../src/runtime/store/migrations.ts';
import { openStateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { lockFolder } from '../../../src/runtime/store/state-folder.ts';
import { type StateToolOptions, stateTools } from '../../../src/runtime/store/state-tools.ts';
import { note, noteTables } from './notes.ts';
import { temporaryStateFolder } from './temporary-folder.ts';

const steps: MigrationSteps = [noteTables];

function tools(options: Partial<StateToolOptions> = {}) {
  return stateTools({ steps, now: Date.now, stdout: new PassThrough(), ...options });
}

function openDatabase(folder: string): Database {
  const opened = openStateFile(folder, { steps });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value.database;
}

/** A folder that a daemon used and left. */
function stoppedFolder(...ids: readonly string[]): string {
  const folder = temporaryStateFolder();
  lockFolder(folder).release();
  const database = openDatabase(folder);
  database.commit([ids.map((id) => note(id, 'text'))]);
  database.close();
  return folder;
}

/** A folder that a daemon uses, with notes that are in the write-ahead log only. */
function usedFolder(...ids: readonly string[]): { readonly folder: string; readonly database: Database } {
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

function idsIn(folder: string): readonly unknown[] {
  const database = openDatabase(folder);
  const ids = database.find({ table: 'notes', order: ['id'] }).map(({ id }) => id);
  database.close();
  return ids;
}

async function backedUp(folder: string): Promise<string> {
  const file = join(temporaryStateFolder(), 'backup');
  const backup = await tools().backup(folder, file);
  if (!backup.ok) throw new Error(backup.error);
  return file;
}

describe('a backup', () => {
  it('has what a running daemon committed, and the daemon continues', async () => {
    const { folder, database } = usedFolder('1', '2');
    const file = join(temporaryStateFolder(), 'backup');
    const backup = await tools().backup(folder, file);
    expect(backup).toEqual({ ok: true, value: { file, bytes: statSync(file).size, schemaVersion: 1 } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    database.commit([[note('3', 'later')]]);
    expect(database.count({ table: 'notes' })).toBe(3);
    const other = stoppedFolder();
    expect(await tools().restore(other, file)).toMatchObject({ ok: true });
    expect(idsIn(other)).toEqual(['1', '2']);
  });

  it('of a stopped daemon leaves its folder as it was', async () => {
    const folder = stoppedFolder('1');
    const before = readFileSync(stateFilePath(folder));
    await backedUp(folder);
    expect(readFileSync(stateFilePath(folder)).equals(before)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['lock', 'state.db']);
  });

  it('goes to the standard output', async () => {
    const { folder } = usedFolder('1');
    const stdout = new PassThrough();
    const written = text(stdout.setEncoding('latin1'));
    const backup = await tools({ stdout }).backup(folder, '-');
    stdout.end();
    const bytes = Buffer.from(await written, 'latin1');
    expect(backup).toEqual({ ok: true, value: { file: '-', bytes: bytes.length, schemaVersion: 1 } });
    const file = join(temporaryStateFolder(), 'backup');
    writeFileSync(file, bytes);
    expect(await tools().checkFile(file)).toMatchObject({ ok: true, value: { schemaVersion: 1, bytes: bytes.length } });
    expect(readdirSync(folder).filter((name) => name.includes('streamed'))).toEqual([]);
  });

  it('is complete when a slow reader of the standard output has all bytes', async () => {
    const { folder } = usedFolder(...Array.from({ length: 2000 }, (_, id) => `note ${id} ${'x'.repeat(80)}`));
    let received = 0;
    const stdout = new Writable({
      write: (chunk, _, done) =>
        void setImmediate(() => {
          received += chunk.length;
          done();
        }),
    });
    const backup = await tools({ stdout }).backup(folder, '-');
    expect(backup).toMatchObject({ ok: true, value: { bytes: received } });
    expect(received).toBeGreaterThan(100_000);
  });

  it('fails if the reader of the standard output is gone', async () => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE: broken pipe')) });
    const { folder } = usedFolder('1');
    expect(await tools({ stdout }).backup(folder, '-')).toEqual({ ok: false, error: 'EPIPE: broken pipe' });
    expect(readdirSync(folder).filter((name) => name.includes('streamed'))).toEqual([]);
  });

  it('overwrites nothing', async () => {
    const folder = stoppedFolder('1');
    const place = temporaryStateFolder();
    writeFileSync(join(place, 'file'), 'precious');
    symlinkSync('nowhere', join(place, 'link'));
    for (const name of ['file', 'link']) {
      const file = join(place, name);
      const error = `cannot write '${file}': the file already exists; it was not changed`;
      expect(await tools().backup(folder, file)).toEqual({ ok: false, error });
    }
    expect(readFileSync(join(place, 'file'), 'utf8')).toBe('precious');
    expect(existsSync(join(place, 'nowhere'))).toBe(false);
  });

  it('states why it cannot be made', async () => {
    const empty = temporaryStateFolder();
    const file = join(empty, 'no', 'folder');
    expect(await tools().backup(empty, file)).toEqual({ ok: false, error: `there is no database in '${empty}'` });
    const folder = stoppedFolder('1');
    expect(await tools().backup(folder, file)).toEqual({
      ok: false,
      error: `cannot copy '${stateFilePath(folder)}' to '${file}': the database cannot be opened`,
    });
    writeFileSync(stateFilePath(folder), '');
    expect(await tools().backup(folder, join(empty, 'file'))).toMatchObject({
      error: expect.stringMatching(/^cannot copy .+: it is empty$/),
    });
    writeFileSync(stateFilePath(folder), 'x'.repeat(9000));
    expect(await tools().backup(folder, join(empty, 'file'))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^cannot copy .+: not a database$/),
    });
    expect(readdirSync(empty)).toEqual([]);
  });
});

describe('a restore', () => {
  it('replaces the database and keeps the former one', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const folder = stoppedFolder('2', '3');
    const restored = await tools().restore(folder, file);
    const replaced = join(folder, readdirSync(folder).find((name) => name.includes('.replaced-')) ?? 'none');
    expect(restored).toEqual({ ok: true, value: { file: stateFilePath(folder), schemaVersion: 1, replaced } });
    expect(statSync(stateFilePath(folder)).mode & 0o777).toBe(0o600);
    expect(idsIn(folder)).toEqual(['1']);
    expect(await tools().restore(folder, replaced)).toMatchObject({ ok: true });
    expect(idsIn(folder)).toEqual(['2', '3']);
  });

  it('makes a folder where there is none, as the owner of the folder above it', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const above = temporaryStateFolder();
    const owner = process.getuid?.() === 0 ? 1234 : statSync(above).uid;
    if (process.getuid?.() === 0) execFileSync('chown', [`${owner}:${owner}`, above]);
    const folder = join(above, 'state');
    expect(await tools().restore(folder, file)).toMatchObject({ ok: true, value: { replaced: undefined } });
    expect(idsIn(folder)).toEqual(['1']);
    for (const path of [folder, join(folder, 'lock'), stateFilePath(folder)]) expect(statSync(path).uid).toBe(owner);
  });

  it('keeps what a killed daemon left in the write-ahead log, and does not apply it to the copy', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const { folder } = usedFolder('2');
    const crashed = temporaryStateFolder();
    execFileSync('cp', ['-r', `${folder}/.`, crashed]);
    expect(statSync(`${stateFilePath(crashed)}-wal`).size).toBeGreaterThan(0);
    const restored = await tools().restore(crashed, file);
    expect(idsIn(crashed)).toEqual(['1']);
    await tools().restore(crashed, (restored.ok && restored.value.replaced) || 'none');
    expect(idsIn(crashed)).toEqual(['2']);
  });

  it('replaces a damaged database, which is kept', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const folder = stoppedFolder('2');
    writeFileSync(stateFilePath(folder), 'x'.repeat(9000));
    writeFileSync(`${stateFilePath(folder)}-wal`, 'not a log');
    const restored = await tools().restore(folder, file);
    expect(idsIn(folder)).toEqual(['1']);
    const kept = (restored.ok && restored.value.replaced) || 'none';
    expect(readFileSync(kept, 'utf8')).toBe('x'.repeat(9000));
  });

  it('is refused while a daemon uses the folder', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const { folder, database } = usedFolder('2');
    const error = `a daemon uses the state directory '${folder}'; stop it first`;
    expect(await tools().restore(folder, file)).toEqual({ ok: false, error });
    expect(database.count({ table: 'notes' })).toBe(1);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['is missing', () => undefined, /^cannot read '.+': no such file$/],
    [
      'is a link',
      (path) => symlinkSync(stateFilePath(stoppedFolder('9')), path),
      /it is a symbolic link; name the file/,
    ],
    ['is a pipe', (path) => execFileSync('mkfifo', [path]), /it is a named pipe$/],
    ['is a directory', (path) => mkdirSync(path), /it is a directory$/],
    [
      'is not a database',
      (path) => writeFileSync(path, 'text\n'.repeat(99)),
      /cannot be restored: not an SQLite database$/,
    ],
    ['is truncated', writeTruncated, /cannot be restored: truncated: \d+ of \d+ bytes$/],
    ['was written by a newer release', writeNewer, /cannot be restored: schema version 2 of a newer release; this one/],
    [
      'lacks its log',
      writeWithLog,
      /is incomplete without '.+-wal'; copy the database with `graphwarden state backup`/,
    ],
  ])('of a file that %s is refused, and changes nothing', async (_, make, reason) => {
    const folder = stoppedFolder('1');
    const path = join(temporaryStateFolder(), 'file');
    make(path);
    expect(await tools().restore(folder, path)).toEqual({ ok: false, error: expect.stringMatching(reason) });
    expect(idsIn(folder)).toEqual(['1']);
    expect(readdirSync(folder).toSorted()).toEqual(['lock', 'state.db']);
  });

  it('of the database itself is refused', async () => {
    const folder = stoppedFolder('1');
    const error = `'${stateFilePath(folder)}' is the database of this state directory`;
    expect(await tools().restore(folder, stateFilePath(folder))).toEqual({ ok: false, error });
  });

  it('states why a folder cannot be used', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const folder = join(temporaryStateFolder(), 'file');
    writeFileSync(folder, '');
    const error = `cannot use the state directory '${folder}': not a directory`;
    expect(await tools().restore(folder, file)).toEqual({ ok: false, error });
  });

  it('that is killed leaves the former or the new database, each complete', async () => {
    const file = await backedUp(stoppedFolder('new'));
    const { folder } = usedFolder('former');
    const crashed = temporaryStateFolder();
    execFileSync('cp', ['-r', `${folder}/.`, crashed]);
    const left = new Map<string, string>();
    const reached = (point: string): void => {
      const place = temporaryStateFolder();
      execFileSync('cp', ['-r', `${crashed}/.`, place]);
      left.set(point, place);
    };
    await tools({ reached }).restore(crashed, file);
    const found = [...left].map(([point, place]) => [point, ...idsIn(place)]);
    expect(found).toEqual([
      ['copied', 'former'],
      ['checked', 'former'],
      ['kept', 'former'],
      ['replaced', 'new'],
    ]);
    for (const place of left.values()) expect(await tools().restore(place, file)).toMatchObject({ ok: true });
  });
});

describe('a check', () => {
  it('reads the database of a running daemon', async () => {
    const { folder } = usedFolder('1', '2');
    const report = await tools().checkFolder(folder);
    expect(report).toMatchObject({ ok: true, value: { file: stateFilePath(folder), schemaVersion: 1 } });
    expect(report.ok && report.value.tables).toContainEqual({ name: 'notes', rows: 2 });
  });

  it('reads a folder that cannot be written, and one that no daemon ever used', async () => {
    const folder = stoppedFolder('1');
    chmodSync(folder, 0o500);
    expect(await tools().checkFolder(folder)).toMatchObject({ ok: true });
    chmodSync(folder, 0o700);
    expect(await tools().checkFolder(temporaryStateFolder())).toMatchObject({ ok: false });
  });

  it('of a file that cannot be read is an error', async () => {
    expect(await tools().checkFile('/nowhere')).toEqual({ ok: false, error: "cannot read '/nowhere': no such file" });
  });
});

function writeTruncated(path: string): void {
  writeFileSync(path, readFileSync(stateFilePath(stoppedFolder('1'))).subarray(0, 8192));
}

function writeNewer(path: string): void {
  const folder = temporaryStateFolder();
  const newer = openStateFile(folder, { steps: [...steps, []] });
  if (newer.ok) newer.value.database.close();
  writeFileSync(path, readFileSync(stateFilePath(folder)));
}

function writeWithLog(path: string): void {
  const { folder } = usedFolder('1');
  execFileSync('cp', [stateFilePath(folder), path]);
  execFileSync('cp', [`${stateFilePath(folder)}-wal`, `${path}-wal`]);
}
