import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { commands } from '../../../src/cli/commands/all.ts';

const guide = await readFile('docs/install.md', 'utf8');

describe('the install guide', () => {
  it('names existing commands in its sentences', () => {
    const calls = [...guide.matchAll(/`graphwarden ([a-z][\w-]*)/g)];
    const known = commands.map(({ name }) => name.split(' ')[0]);
    expect(calls.length).toBeGreaterThan(3);
    expect(calls.map(([, name = '']) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('links to its chapters', () => {
    const anchors = [...guide.matchAll(/^##+ (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...guide.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.length).toBeGreaterThan(2);
    expect(anchors).toEqual(expect.arrayContaining(links));
  });

  it('has a health check that a container engine accepts unchanged', () => {
    const [, test = ''] = /`(test: \[CMD, .*\])`/.exec(guide) ?? [];
    expect(parse(test)).toMatchObject({ test: expect.arrayContaining(['CMD', 'graphwarden', 'healthcheck']) });
  });
});

it.each(['README.md', 'docs/install.md', 'Dockerfile'])(
  'install guide › %s leaves the version to the manifest',
  async (file) => {
    const manifest = z.object({ version: z.string() }).parse(JSON.parse(await readFile('package.json', 'utf8')));
    expect(await readFile(file, 'utf8')).not.toContain(manifest.version);
  },
);
