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
 * The manifest of what is published. A bundle needs nothing installed beside it: no dependencies, no Node that is
 * brought along for old machines, no scripts.
 */
export function publishedManifest(checkout: unknown): z.infer<typeof kept> {
  return kept.parse(checkout);
}

/** Files of a checkout that the package has in another form, and where they are kept while npm packs. */
const asideFolder = 'dist/checkout';
const exchanged = ['package.json', 'README.md'] as const;
const packageReadme = join(import.meta.dirname, 'package', 'README.md');

/**
 * npm packs the files that are in place, so the published ones are exchanged for those of the checkout while npm packs
 * (`prepack`) and back afterwards (`postpack`).
 */
function exchange(): void {
  for (const file of exchanged) {
    // What is aside is the only copy, and what is in place then no file of a checkout.
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
