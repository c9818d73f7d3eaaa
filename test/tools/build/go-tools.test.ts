import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', '..', 'tools', 'build', 'tools');
const lines = (path: string): readonly string[] => readFileSync(join(folder, path), 'utf8').trim().split('\n');

describe('the packages of Go tools', () => {
  it('are tools of the common go.mod, so that go mod tidy keeps them', () => {
    const tools = /^tool \(\n(.*?)^\)/ms.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))?.[1] ?? '';
    const declared = tools.trim().split(/\s+/);
    const built = globSync('*/packages.txt', { cwd: folder }).flatMap(lines);
    expect(built.length).toBeGreaterThan(0);
    // The source of a program of our own is in its folder.
    expect(built.filter((name) => !name.startsWith('./')).toSorted()).toEqual(declared.toSorted());
  });
});
