import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { note } from './notes.ts';
import { backedUp, idsIn, stoppedFolder, tools, usedFolder } from './state-directories.ts';
import { temporaryStateDir } from './temporary-folder.ts';

describe('a backup', () => {
  it('has the rows that a running daemon committed, and the daemon continues', async () => {
    const { folder, database } = usedFolder('1', '2');
    const file = join(temporaryStateDir(), 'backup');
    const backup = await tools().backup(folder, file);
    expect(backup).toEqual({ ok: true, value: { file, bytes: statSync(file).size, schemaVersion: 1 } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    database.commit([[note('3', 'later')]]);
    expect(database.count({ table: 'notes' })).toBe(3);
    const other = stoppedFolder();
    expect(await tools().restore(other, file)).toMatchObject({ ok: true });
    expect(idsIn(other)).toEqual(['1', '2']);
  });

  it.runIf(process.getuid?.() === 0)('by root belongs to root, also in the folder of another user', async () => {
    const folder = temporaryStateDir();
    chownSync(folder, 1234, 1234);
    await tools().backup(stoppedFolder('1'), join(folder, 'copy'));
    expect(statSync(join(folder, 'copy')).uid).toBe(0);
  });

  it('of a stopped daemon does not change its folder', async () => {
    const folder = stoppedFolder('1');
    const before = readFileSync(stateFilePath(folder));
    await backedUp(folder);
    expect(readFileSync(stateFilePath(folder)).equals(before)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['lock', 'state.db']);
  });

  it('is written to the standard output', async () => {
    const { folder } = usedFolder('1');
    const stdout = new PassThrough();
    const written = text(stdout.setEncoding('latin1'));
    const backup = await tools({ stdout }).backup(folder, '-');
    stdout.end();
    const bytes = Buffer.from(await written, 'latin1');
    expect(backup).toEqual({ ok: true, value: { file: '-', bytes: bytes.length, schemaVersion: 1 } });
    const file = join(temporaryStateDir(), 'backup');
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

  it('fails if the reader of the standard output has closed it', async () => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE: broken pipe')) });
    const { folder } = usedFolder('1');
    expect(await tools({ stdout }).backup(folder, '-')).toEqual({ ok: false, error: 'EPIPE: broken pipe' });
    expect(readdirSync(folder).filter((name) => name.includes('streamed'))).toEqual([]);
  });

  it('does not overwrite a file', async () => {
    const folder = stoppedFolder('1');
    const target = temporaryStateDir();
    writeFileSync(join(target, 'file'), 'precious');
    symlinkSync('nowhere', join(target, 'link'));
    for (const name of ['file', 'link']) {
      const file = join(target, name);
      const error = `cannot write '${file}': the file already exists; it was not changed`;
      expect(await tools().backup(folder, file)).toEqual({ ok: false, error });
    }
    expect(readFileSync(join(target, 'file'), 'utf8')).toBe('precious');
    expect(existsSync(join(target, 'nowhere'))).toBe(false);
  });

  it('states why it cannot be made', async () => {
    const empty = temporaryStateDir();
    const file = join(empty, 'no', 'folder');
    expect(await tools().backup(empty, file)).toEqual({ ok: false, error: `there is no database in '${empty}'` });
    const folder = stoppedFolder('1');
    expect(await tools().backup(folder, file)).toEqual({
      ok: false,
      error: `cannot copy '${stateFilePath(folder)}' to '${file}': the database cannot be opened`,
    });
    writeFileSync(stateFilePath(folder), '');
    expect(await tools().backup(folder, join(empty, 'file'))).toMatchObject({
      error: expect.stringMatching(/^cannot copy .+: the database is empty$/),
    });
    writeFileSync(stateFilePath(folder), 'x'.repeat(9000));
    expect(await tools().backup(folder, join(empty, 'file'))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^cannot copy .+: not a database$/),
    });
    expect(readdirSync(empty)).toEqual([]);
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
    expect(await tools().checkFolder(temporaryStateDir())).toMatchObject({ ok: false });
  });

  it('of a file that cannot be read is an error', async () => {
    expect(await tools().checkFile('/nowhere')).toEqual({ ok: false, error: "cannot read '/nowhere': no such file" });
  });
});
