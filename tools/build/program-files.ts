import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of a built program: its entry, and the parts in `chunks` that the entry loads when it needs them. */
export function programFiles(entry: string): readonly string[] {
  const chunks = join(dirname(entry), 'chunks');
  return [entry, ...readdirSync(chunks).map((file) => join(chunks, file))];
}
