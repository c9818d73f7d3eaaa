import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'corpus');

/** Returns the kept inputs of a target: inputs that once violated an oracle, or that only directed attacks find. */
export function keptInputs(target: string): readonly string[] {
  try {
    const names = readdirSync(join(folder, target)).toSorted();
    return names.map((name) => readFileSync(join(folder, target, name), 'latin1'));
  } catch {
    return [];
  }
}

/** Keeps an input that violated an oracle; returns its path. */
export function keepInput(target: string, input: string): string {
  mkdirSync(join(folder, target), { recursive: true });
  const path = join(folder, target, createHash('sha256').update(input, 'latin1').digest('hex').slice(0, 16));
  writeFileSync(path, input, 'latin1');
  return path;
}
