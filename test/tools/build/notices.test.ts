import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { notices } from '../../../tools/build/notices.ts';
import { temporaryFolder } from '../../support/live-ports.ts';

const parts = { license: 'MIT', integrity: '', dependencies: {}, optionalDependencies: {}, peerDependencies: {} };

async function installed(name: string, files: Readonly<Record<string, string>>) {
  const path = join(await temporaryFolder(), name);
  await mkdir(path);
  for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
  return { ...parts, name, version: '1.0.0', path };
}

it('notices › include licences and notices with any file name', async () => {
  const text = notices([
    await installed('a', { 'LICENSE.md': 'the licence of a\n', 'index.js': 'code', NOTICE: 'made by a' }),
    await installed('b', { 'licence-mit.txt': 'the licence of b' }),
  ]);
  expect(text).toContain('a 1.0.0 (MIT)\n\nthe licence of a\n\nmade by a\n');
  expect(text).toContain('b 1.0.0 (MIT)\n\nthe licence of b\n');
  expect(text).not.toContain('code');
});

it('notices › contain a shared licence once', async () => {
  const text = notices([
    await installed('a', { LICENSE: 'the same' }),
    await installed('b', { LICENSE: 'another' }),
    await installed('c', { LICENSE: 'the same\n' }),
  ]);
  expect(text).toContain('a 1.0.0 (MIT)\nc 1.0.0 (MIT)\n\nthe same\n');
  expect(text.match(/the same/g)).toHaveLength(1);
});

it('notices › contain the licence of a README if no other file has one', async () => {
  const license = 'Copyright (c) A\n\nPermission is hereby granted, free of charge';
  const readme = `# a\n\ntext\n\n## License\n\n${license}\n`;
  expect(notices([await installed('a', { 'README.md': readme })])).toBe(`a 1.0.0 (MIT)\n\n${license}\n`);
});

it('notices › are rejected for a package without a licence', async () => {
  const silent = await installed('silent', { 'README.md': 'MIT' });
  expect(() => notices([silent])).toThrow('silent brings no licence text along');
});
