import { execFileSync } from 'node:child_process';
import { mkdirSync, readSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withPlainFile } from '../../../src/runtime/store/plain-file.ts';
import { temporaryStateDir } from './temporary-folder.ts';

describe('a plain file', () => {
  it('is open while the work is done', () => {
    const path = join(temporaryStateDir(), 'file');
    writeFileSync(path, 'text');
    const [text, size] = withPlainFile(path, (file, stats) => {
      const read = Buffer.alloc(4);
      readSync(file, read);
      return [read.toString(), stats.size];
    });
    expect([text, size]).toEqual(['text', 4]);
  });

  it.each<[string, (path: string) => void, string]>([
    ['missing', () => undefined, 'no such file'],
    ['a directory', (path) => mkdirSync(path), 'it is a directory'],
    ['a link', (path) => symlinkSync('/etc/passwd', path), 'it is a symbolic link; name the file that it points to'],
    ['a link to nothing', (path) => symlinkSync('nowhere', path), 'it is a symbolic link; name the file'],
    ['a pipe without a writer', (path) => execFileSync('mkfifo', [path]), 'it is a named pipe'],
  ])('is not %s', (_, make, reason) => {
    const path = join(temporaryStateDir(), 'file');
    make(path);
    expect(() => withPlainFile(path, () => 'opened')).toThrow(`cannot read '${path}': ${reason}`);
  });

  it('is not a device', () => {
    expect(() => withPlainFile('/dev/zero', () => 'opened')).toThrow("cannot read '/dev/zero': it is a device");
  });
});
