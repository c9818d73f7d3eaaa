import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const pretence = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } })";

/** Runs the program as if with an old version of Node. */
function started(program: string, node: readonly string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [...node, program, '--version'], { encoding: 'utf8' });
  return { status, stderr, stdout };
}

const old = ['--import', `data:text/javascript,${encodeURIComponent(pretence)}`];

describe('an old version of Node', () => {
  it('in a checkout gets a hint at the bundled version', () => {
    const { status, stderr, stdout } = started('bin/graphwarden.mjs', old);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('requires Node 24 or later; this is Node 20.11.1.');
    expect(stderr).toContain('npm ci');
  });

  it('in the package, which does not bundle Node, gets a hint to install a newer one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graphwarden-old-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp('bin', join(folder, 'bin'), { recursive: true });
    const { status, stderr } = started(join(folder, 'bin', 'graphwarden.mjs'), old);
    expect(status).toBe(1);
    expect(stderr).toContain('Install Node 24');
    expect(stderr).not.toContain('npm ci');
  });

  it('causes no warnings when a checkout is installed, because the installation brings its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graphwarden-old-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const manifest = { name: 'a', version: '1.0.0', engines: { node: '>=99' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest } };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const install = () =>
      spawnSync('npm', ['ci', '--offline'], { cwd: folder, env: { PATH: process.env.PATH }, encoding: 'utf8' });
    expect(install().stderr).toContain('EBADENGINE');
    await cp('.npmrc', join(folder, '.npmrc'));
    expect(install()).toMatchObject({ status: 0, stderr: '' });
  });

  it('is below the minimum version', () => {
    expect(started('bin/graphwarden.mjs', [])).toMatchObject({ status: 0, stderr: '' });
  });
});
