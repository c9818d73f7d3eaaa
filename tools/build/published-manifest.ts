import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const kept = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
  homepage: z.url(),
  bugs: z.object({ url: z.url() }),
  repository: z.object({ type: z.literal('git'), url: z.string() }),
  type: z.literal('module'),
  engines: z.record(z.string(), z.string()),
  bin: z.record(z.string(), z.string()),
  files: z.array(z.string()),
});

/**
 * Returns the `package.json` of the published package. A bundle needs no dependencies, no Node package for old machines and
 * no scripts.
 */
export function publishedManifest(checkout: unknown): z.infer<typeof kept> {
  return kept.parse(checkout);
}

/** Folder for files of the checkout that the package has in another form, while npm packs. */
const asideFolder = 'dist/checkout';
const exchanged = ['package.json', 'README.md'] as const;
const packageReadme = join(import.meta.dirname, 'package', 'README.md');

/**
 * Replaces files of the checkout by the published ones before npm packs (`prepack`). They are restored afterwards
 * (`postpack`).
 */
function exchange(): void {
  for (const file of exchanged) {
    // The file in that folder is the only copy of the checkout's file: copying over it would lose it.
    if (existsSync(asideOf(file)))
      throw new Error(`${asideOf(file)} was left by a pack that broke off: move it back to ${file}`);
  }
  mkdirSync(asideFolder, { recursive: true });
  for (const file of exchanged) copyFileSync(file, asideOf(file));
  const checkout: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('package.json', `${JSON.stringify(publishedManifest(checkout), undefined, 2)}\n`);
  copyFileSync(packageReadme, 'README.md');
}

function restore(): void {
  for (const file of exchanged) if (existsSync(asideOf(file))) renameSync(asideOf(file), file);
}

function asideOf(file: string): string {
  return join(asideFolder, file);
}

if (import.meta.main) (process.argv[2] === '--restore' ? restore : exchange)();
