import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { commands } from '../../../src/cli/commands/all.ts';

const guide = await readFile('docs/install.md', 'utf8');
const shell = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code ?? '').join('');

describe('the install guide', () => {
  it('uses existing commands', () => {
    const calls = [
      ...shell.matchAll(/(?:^|--network host |exec graphwarden )graphwarden ([a-z][\w-]*)/gm),
      ...guide.matchAll(/`graphwarden ([a-z][\w-]*)/g),
    ];
    const known = commands.map(({ name }) => name.split(' ')[0]);
    expect(calls.length).toBeGreaterThan(6);
    expect(calls.map(([, name = '']) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('puts files where the unit and the image look for them', async () => {
    const unit = await readFile('examples/packaging/graphwarden.service', 'utf8');
    const dockerfile = await readFile('Dockerfile', 'utf8');
    expect(shell).toContain('--prefix /usr/local ');
    expect(unit).toContain('ExecStart=/usr/local/bin/graphwarden run --config /etc/graphwarden/graphwarden.yml\n');
    expect(shell).toContain('graphwarden init --owner root:graphwarden /etc/graphwarden/graphwarden.yml\n');
    expect(shell).toContain('--volume graphwarden:/var/lib/graphwarden ');
    expect(dockerfile).toContain('WORKDIR /var/lib/graphwarden\n');
    expect(dockerfile).toContain('CMD ["run", "--config", "/etc/graphwarden/graphwarden.yml"]\n');
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
