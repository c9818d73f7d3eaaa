import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, syncPath } from '../../../src/runtime/store/state-directory.ts';
import { temporaryStateDir } from './temporary-folder.ts';

describe('a folder', () => {
  it('is created with its parents and mode 0700, and left unchanged if it exists', () => {
    const folder = join(temporaryStateDir(), 'a', 'b');
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder, 'file'), '');
    makeFolder(folder);
    expect(existsSync(join(folder, 'file'))).toBe(true);
  });

  it('cannot be created below a file', () => {
    const file = join(temporaryStateDir(), 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(join(file, 'folder'))).toThrow('ENOTDIR');
    expect(() => makeFolder(file)).toThrow('EEXIST');
  });

  it.runIf(existsSync('/proc/self'))('cannot be created below /proc, and fails at once', () => {
    expect(() => makeFolder('/proc/state')).toThrow('ENOENT');
    expect(() => makeFolder('/proc/a/b/state')).toThrow('ENOENT');
  });

  it('cannot be created at a dangling link', () => {
    const link = join(temporaryStateDir(), 'link');
    symlinkSync('nowhere', link);
    expect(() => makeFolder(link)).toThrow('EEXIST');
    expect(() => makeFolder(join(link, 'folder'))).toThrow('EEXIST');
  });
});

describe('synced files', () => {
  it('include files and folders, and fail if the path is missing', () => {
    const folder = temporaryStateDir();
    writeFileSync(join(folder, 'file'), 'text');
    syncPath(join(folder, 'file'));
    syncPath(folder);
    expect(() => syncPath(join(folder, 'nothing'))).toThrow('ENOENT');
  });
});
