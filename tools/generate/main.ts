import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';
import { changedFiles, generatedFiles } from './generated-files.ts';

const root = join(import.meta.dirname, '..', '..');

const files = await generatedFiles();
if (process.argv.includes('--check')) check();
else files.forEach(write);

function write({ path, text }: GeneratedFile): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check(): void {
  const paths = changedFiles(files, present);
  if (paths.length === 0) return;
  console.error(`out of step with the code, run \`npm run generate\`:\n${paths.join('\n')}`);
  process.exitCode = 1;
}

function present(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}
