import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeChecksums, wrongChecksums } from '../../../tools/release/artifacts.ts';
import { temporaryFolder } from '../../support/live-ports.ts';

it('checksums show which file was changed', async () => {
  const folder = join(await temporaryFolder(), 'release');
  await mkdir(folder);
  for (const name of ['a', 'b']) await writeFile(join(folder, name), `content of ${name}`);
  writeChecksums(folder);
  expect(wrongChecksums(folder)).toEqual([]);
  await writeFile(join(folder, 'b'), 'something else');
  expect(wrongChecksums(folder)).toEqual(['b']);
});
