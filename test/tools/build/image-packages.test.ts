import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

it('an image is built with the packages of the program and those that build it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'graphwarden-image-packages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = ['package.json', 'package-lock.json'];
  for (const file of files) cpSync(file, join(folder, file));
  execFileSync(process.execPath, [resolve('tools/build/image-packages.ts')], { cwd: folder });
  const [manifest, lock] = files.map((file) => read(join(folder, file)));
  const { dependencies, devDependencies } = read('package.json');
  const { rolldown, vite } = devDependencies;
  for (const root of [manifest, lock.packages['']]) {
    expect(root).toMatchObject({ dependencies, devDependencies: { rolldown, vite } });
    expect(Object.keys(root.devDependencies)).toEqual(['rolldown', 'vite']);
    expect(root).not.toHaveProperty('optionalDependencies');
  }
  // What is left over has no package that requires it, so `npm ci` does not install it.
  const { '': _, ...packages } = read('package-lock.json').packages;
  expect(lock.packages).toMatchObject(packages);
});
