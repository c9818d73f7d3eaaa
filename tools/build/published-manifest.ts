import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const manifestFile = 'package.json';
const asideFile = 'dist/checkout/package.json';

const kept = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
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

/**
 * npm packs the manifest that lies there and knows no other, so the published one takes its place while npm packs
 * (`prepack`) and goes again (`postpack`).
 */
function exchange(): void {
  // What lies there is the only copy, and what lies here then no manifest of a checkout.
  if (existsSync(asideFile))
    throw new Error(`${asideFile} was left by a pack that broke off: move it back to ${manifestFile}`);
  const text = readFileSync(manifestFile, 'utf8');
  mkdirSync(dirname(asideFile), { recursive: true });
  writeFileSync(asideFile, text);
  writeFileSync(manifestFile, `${JSON.stringify(publishedManifest(JSON.parse(text)), undefined, 2)}\n`);
}

function restore(): void {
  if (existsSync(asideFile)) renameSync(asideFile, manifestFile);
}

if (import.meta.main) (process.argv[2] === '--restore' ? restore : exchange)();
