import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const component = z.object({
  name: z.string(),
  version: z.string(),
  hashes: z.array(z.object({ content: z.string() })),
});
const entry = z.object({ version: z.string(), integrity: z.string(), dev: z.boolean().optional() });

describe('the documents of a bundle', () => {
  let folder: string;
  let components: readonly z.infer<typeof component>[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-papers-'));
    const bundle = join(folder, 'graphwarden.mjs');
    for (const script of ['tools/build/bundle.ts', 'tools/build/release-documents.ts'])
      execFileSync(process.execPath, [script, bundle]);
    const text = await readFile(join(folder, 'graphwarden.cdx.json'), 'utf8');
    components = z.object({ components: z.array(component) }).parse(JSON.parse(text)).components;
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('list exactly the packages that the bundler included', async () => {
    const program = await build({ input: 'src/main.ts', platform: 'node', write: false });
    const transform = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;
    const page = await build({ input: 'page/src/main.tsx', platform: 'browser', transform, write: false });
    const chunks = [...program.output, ...page.output];
    const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    const names = modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
    const listed = components.map(({ name }) => name);
    expect(new Set(listed)).toEqual(new Set(names));
  });

  it('have the hashes of the lock file, and list no development dependencies', async () => {
    const lock: unknown = JSON.parse(await readFile('package-lock.json', 'utf8'));
    const { packages } = z.object({ packages: z.record(z.string(), z.unknown()) }).parse(lock);
    const locked = new Map(
      Object.entries(packages)
        .filter(([path]) => path !== '')
        .map(([path, one]) => [path.replace(/^.*node_modules\//, ''), entry.parse(one)] as const)
        .filter(([, one]) => one.dev !== true)
        .map(([name, one]) => [`${name}@${one.version}`, one.integrity] as const),
    );
    for (const { name, version, hashes } of components) {
      const content = Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64');
      expect([name, locked.get(`${name}@${version}`)]).toEqual([name, `sha512-${content}`]);
    }
  });

  it('contain a licence for each package', async () => {
    const text = await readFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const titles = [...text.matchAll(/^(\S+) (\d+\.\S+) \([^)]+\)+$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    );
    expect(titles.toSorted()).toEqual(components.map(({ name, version }) => `${name}@${version}`).toSorted());
  });
});
