import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDatabaseLocked } from '../../../src/runtime/store/sqlite-errors.ts';
import { lockFolder } from '../../../src/runtime/store/state-directory.ts';
import { eventually, startChild } from '../../support/child.ts';
import { temporaryStateDir } from './temporary-folder.ts';

function isLocked(folder: string): boolean {
  try {
    lockFolder(folder).release();
    return false;
  } catch (error) {
    if (!isDatabaseLocked(error)) throw error;
    return true;
  }
}

describe('the lock of a folder', () => {
  it('is held by one process until it is released', () => {
    const folder = temporaryStateDir();
    const lock = lockFolder(folder);
    expect(isLocked(folder)).toBe(true);
    lock.release();
    expect(isLocked(folder)).toBe(false);
  });

  it('fails without a folder', () => {
    expect(() => isLocked(join(temporaryStateDir(), 'nowhere'))).toThrow(/unable to open/);
  });

  it('excludes other processes, and ends with its process in any way', async () => {
    const folder = temporaryStateDir();
    const source = new URL('../../../src/runtime/store/state-directory.ts', import.meta.url);
    const program = `
      import { lockFolder } from '${source.href}';
      lockFolder(process.argv[1]);
      process.stdout.write('locked');
      setInterval(() => undefined, 1000);`;
    const child = startChild(process.execPath, ['--input-type=module', '--eval', program, folder]);
    await eventually('the child has the lock', async () => child.stdout() === 'locked');
    expect(isLocked(folder)).toBe(true);
    child.kill('SIGKILL');
    await child.ended;
    expect(isLocked(folder)).toBe(false);
  });
});
