import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { publishedManifest } from '../../build/published.ts';

const checkout: unknown = JSON.parse(readFileSync('package.json', 'utf8'));

it('wants nothing installed beside it, runs no script, and may be published', () => {
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

it('refuses a manifest that lacks what npm shows', () => {
  expect(() => publishedManifest({ name: 'graphwarden' })).toThrow('description');
});
