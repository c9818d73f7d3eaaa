import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writePlainWords } from './plain-words.ts';
import { parseSource } from './project.ts';

/** Prints the refused words below the given paths: `node test/architecture/words-of.ts src/guard test/guard`. */
const files = process.argv.slice(2).flatMap((path) => {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
});
const sources = files
  .filter((file) => file.endsWith('.ts'))
  .map((file) => parseSource(file, readFileSync(file, 'utf8')));
const found = writePlainWords.check(sources);
process.stdout.write([...found, `${found.length} refused`, ''].join('\n'));
