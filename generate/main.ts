import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationReference, schemaFile } from './configuration.ts';
import type { GeneratedFile } from './document.ts';
import { exampleFile } from './example.ts';
import { metricsCatalogue, metricsReference } from './metrics.ts';

const root = join(import.meta.dirname, '..');

const files = [
  schemaFile(),
  exampleFile(),
  configurationReference(),
  await metricsReference(),
  await metricsCatalogue(),
];

if (process.argv.includes('--check')) check();
else files.forEach(write);

function write({ path, text }: GeneratedFile): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check(): void {
  const drifted = files.filter(({ path, text }) => present(path) !== text).map(({ path }) => path);
  if (drifted.length === 0) return;
  console.error(`out of step with the code, run \`npm run generate\`:\n${drifted.join('\n')}`);
  process.exitCode = 1;
}

function present(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
