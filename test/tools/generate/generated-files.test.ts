import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedFiles, generatedFiles } from '../../../tools/generate/generated-files.ts';

const root = join(import.meta.dirname, '../../..');
const onDisk = (path: string): string | undefined =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;

const generated = await generatedFiles();
const again = new Map((await generatedFiles()).map(({ path, text }) => [path, text]));

describe('the generated documents', () => {
  it('are up to date with the code', () => {
    expect(changedFiles(generated, onDisk)).toEqual([]);
  });

  it('are checked by the program that prints them', () => {
    expect(execFileSync(process.execPath, ['tools/generate/main.ts', '--check'], { cwd: root, encoding: 'utf8' })).toBe(
      '',
    );
  });

  it.each(generated)('are reproducible: $path', ({ path, text }) => {
    expect(again.get(path)).toBe(text);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('contain no machine names and no history', () => {
    for (const { text } of generated) expect(text).not.toMatch(/\/home\/|\/work\/|undefined|\[object/);
  });
});

describe('drifted', () => {
  const files = [
    { path: 'a', text: '1' },
    { path: 'b', text: '2' },
    { path: 'c', text: '3' },
  ];

  it('names changed and missing files', () => {
    const disk: Readonly<Record<string, string>> = { a: '1', b: 'other' };
    expect(changedFiles(files, (path) => disk[path])).toEqual(['b', 'c']);
  });
});
