import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { publishedManifest } from '../../../tools/build/published-manifest.ts';

const checkout: unknown = JSON.parse(readFileSync('package.json', 'utf8'));

it('the published manifest has no dependencies and no scripts, and may be published', () => {
  const published = Object.keys(publishedManifest(checkout));
  for (const key of ['dependencies', 'devDependencies', 'optionalDependencies', 'scripts', 'private']) {
    expect(published).not.toContain(key);
    expect(checkout).toHaveProperty(key);
  }
});

it('has the version that the lock file has', () => {
  const lock: unknown = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const { version } = publishedManifest(checkout);
  expect(lock).toMatchObject({ version, packages: { '': { version } } });
});

it('a manifest without the fields that npm shows is rejected', () => {
  expect(() => publishedManifest({ name: 'graphwarden' })).toThrow('description');
});

it('the original manifest is kept if npm pack is interrupted, and restored later', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'graphwarden-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const files = ['package.json', 'README.md'];
  for (const file of files) cpSync(file, join(cwd, file));
  const script = resolve('tools/build/published-manifest.ts');
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8' });
  expect(run().status).toBe(0);
  expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toContain('npm install --global graphwarden\n');
  const again = run();
  expect(again.stderr).toContain('was left by a pack that broke off');
  expect(again.status).toBe(1);
  expect(run('--restore').status).toBe(0);
  for (const file of files) expect(readFileSync(join(cwd, file), 'utf8')).toBe(readFileSync(file, 'utf8'));
});
