import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { backedUp, idsIn, steps, stoppedFolder, tools, usedFolder } from './state-directories.ts';
import { temporaryStateDir } from './temporary-folder.ts';

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

  it('creates a missing folder with the owner of its parent', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const above = temporaryStateDir();
    const owner = process.getuid?.() === 0 ? 1234 : statSync(above).uid;
    if (process.getuid?.() === 0) execFileSync('chown', [`${owner}:${owner}`, above]);
    const folder = join(above, 'state');
    expect(await tools().restore(folder, file)).toMatchObject({ ok: true, value: { replaced: undefined } });
    expect(idsIn(folder)).toEqual(['1']);
    for (const path of [folder, join(folder, 'lock'), stateFilePath(folder)]) expect(statSync(path).uid).toBe(owner);
  });

  it('keeps the write-ahead log of a killed daemon, and does not apply it to the copy', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const { folder } = usedFolder('2');
    const crashed = temporaryStateDir();
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
  ])('of a file that %s is refused without changes', async (_, make, reason) => {
    const folder = stoppedFolder('1');
    const path = join(temporaryStateDir(), 'file');
    make(path);
    expect(await tools().restore(folder, path)).toEqual({ ok: false, error: expect.stringMatching(reason) });
    expect(idsIn(folder)).toEqual(['1']);
    expect(readdirSync(folder).toSorted()).toEqual(['lock', 'state.db']);
  });

  it('of the database itself is refused', async () => {
    const folder = stoppedFolder('1');
    const error = `'${stateFilePath(folder)}' is the database of this state directory itself; name a copy`;
    expect(await tools().restore(folder, stateFilePath(folder))).toEqual({ ok: false, error });
  });

  it('states why a folder cannot be used', async () => {
    const file = await backedUp(stoppedFolder('1'));
    const folder = join(temporaryStateDir(), 'file');
    writeFileSync(folder, '');
    const error = `cannot use the state directory '${folder}': not a directory`;
    expect(await tools().restore(folder, file)).toEqual({ ok: false, error });
  });

  it('that is killed leaves the former or the new database, each complete', async () => {
    const file = await backedUp(stoppedFolder('new'));
    const { folder } = usedFolder('former');
    const crashed = temporaryStateDir();
    execFileSync('cp', ['-r', `${folder}/.`, crashed]);
    const left = new Map<string, string>();
    const reached = (point: string): void => {
      const copy = temporaryStateDir();
      execFileSync('cp', ['-r', `${crashed}/.`, copy]);
      left.set(point, copy);
    };
    await tools({ reached }).restore(crashed, file);
    const found = [...left].map(([point, copy]) => [point, ...idsIn(copy)]);
    expect(found).toEqual([
      ['copied', 'former'],
      ['checked', 'former'],
      ['kept', 'former'],
      ['replaced', 'new'],
    ]);
    for (const copy of left.values()) expect(await tools().restore(copy, file)).toMatchObject({ ok: true });
  });
});

function writeTruncated(path: string): void {
  writeFileSync(path, readFileSync(stateFilePath(stoppedFolder('1'))).subarray(0, 8192));
}

function writeNewer(path: string): void {
  const folder = temporaryStateDir();
  const newer = openStateFile(folder, { steps: [...steps, []] });
  if (newer.ok) newer.value.database.close();
  writeFileSync(path, readFileSync(stateFilePath(folder)));
}

function writeWithLog(path: string): void {
  const { folder } = usedFolder('1');
  execFileSync('cp', [stateFilePath(folder), path]);
  execFileSync('cp', [`${stateFilePath(folder)}-wal`, `${path}-wal`]);
}
