import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findTool, requireTool } from './tools.ts';

describe('the programs that tests need', () => {
  it('are found on the path', () => {
    expect(findTool('sh')).toMatch(/\/sh$/);
    expect(requireTool('sh')).toBe(findTool('sh'));
  });

  it('are undefined if they are missing', () => {
    expect(findTool('no-such-program', { PATH: '/bin' })).toBeUndefined();
  });

  it('are also files that no one runs, by their absolute path', () => {
    expect(findTool('/etc/passwd', {})).toBe('/etc/passwd');
    expect(() => findTool('/no/such/file', { CI: 'true' })).toThrow('apt install /no/such/file');
  });

  it('are those of tools/build/tools if they are written in Go, and no others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'graphwarden-tools-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'graphwarden', 'tools'), { recursive: true });
    const program = join(folder, 'graphwarden', 'tools', 'helm');
    const environment = { PATH: join(folder, 'graphwarden', 'tools'), XDG_CACHE_HOME: folder };
    expect(findTool('helm', environment)).toBeUndefined();
    writeFileSync(program, '', { mode: 0o755 });
    expect(findTool('helm', environment)).toBe(program);
    expect(findTool('helm', { ...environment, XDG_CACHE_HOME: undefined, HOME: folder })).toBeUndefined();
    expect(() => findTool('helm', { HOME: folder, CI: 'true' })).toThrow('tools/build/tools/build.sh helm');
  });

  it('fail a test run that has to be complete', () => {
    expect(() => findTool('no-such-program', { PATH: '', CI: 'true' })).toThrow('apt install no-such-program');
  });
});
