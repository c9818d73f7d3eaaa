import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/kernel/result.ts';
import type { FileLine } from '../../src/kernel/system.ts';
import { lineFiles, maxLineLength } from '../../src/runtime/line-files.ts';
import { temporaryFolder } from '../support/live-ports.ts';

async function linesOf(path: string): Promise<readonly Result<FileLine, string>[]> {
  const lines: Result<FileLine, string>[] = [];
  for await (const line of lineFiles.read(path)) lines.push(line);
  return lines;
}

async function fileOf(content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), 'lines');
  await writeFile(path, content);
  return path;
}

const whole = (text: string) => ({ ok: true, value: { text, isWhole: true } });

describe('writing lines', () => {
  it('creates a file that only its owner can read', async () => {
    const path = join(await temporaryFolder(), 'lines');
    const file = await lineFiles.create(path, { replace: false });
    if (!file.ok) throw new Error(file.error);
    expect([await file.value.write('one'), await file.value.write('zwölf')]).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
    expect(await file.value.close()).toMatchObject({ ok: true });
    expect(await readFile(path, 'utf8')).toBe('one\nzwölf\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('never replaces another file unless requested', async () => {
    const path = await fileOf('precious');
    expect(await lineFiles.create(path, { replace: false })).toEqual({
      ok: false,
      error: `cannot create '${path}': the file already exists; it was not changed`,
    });
    expect(await readFile(path, 'utf8')).toBe('precious');
  });

  it('replaces a file on request, with its own mode, and does not follow links', async () => {
    const path = await fileOf('precious');
    const link = `${path}.link`;
    await symlink(path, link);
    const file = await lineFiles.create(link, { replace: true });
    if (!file.ok) throw new Error(file.error);
    await file.value.write('new');
    await file.value.close();
    expect([await readFile(path, 'utf8'), await readFile(link, 'utf8')]).toEqual(['precious', 'new\n']);
    expect((await stat(link)).mode & 0o777).toBe(0o600);
  });

  it('returns the reason of a failure', async () => {
    const folder = await temporaryFolder();
    expect(await lineFiles.create(join(folder, 'no', 'where'), { replace: false })).toMatchObject({
      ok: false,
      error: expect.stringContaining('no such file'),
    });
    expect(await lineFiles.create(folder, { replace: true })).toMatchObject({ ok: false });
    const file = await lineFiles.create(join(folder, 'closed'), { replace: false });
    if (!file.ok) throw new Error(file.error);
    await file.value.close();
    expect(await file.value.write('late')).toMatchObject({ ok: false, error: expect.stringContaining('cannot write') });
  });

  it('reports a full disk', async () => {
    const file = await lineFiles.create('/dev/full', { replace: false });
    expect(file).toMatchObject({ ok: false, error: expect.stringContaining('already exists') });
  });
});

describe('the folder of line files', () => {
  it('is created once, for its owner only', async () => {
    const folder = join(await temporaryFolder(), 'recordings');
    expect([await lineFiles.createFolder(folder), await lineFiles.createFolder(folder)]).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await lineFiles.createFolder(join(folder, 'no', 'where'))).toMatchObject({
      ok: false,
      error: expect.stringContaining('no such file'),
    });
  });

  it('lists its files with size and time, and removes them', async () => {
    const folder = await temporaryFolder();
    await lineFiles.createFolder(join(folder, 'within'));
    await writeFile(join(folder, 'b'), 'four');
    await writeFile(join(folder, 'a'), '');
    await symlink('nowhere', join(folder, 'link'));
    const listed = await lineFiles.list(folder);
    const { mtimeMs: modifiedAt } = await stat(join(folder, 'b'));
    expect(listed).toMatchObject({
      ok: true,
      value: [
        { name: 'a', size: 0 },
        { name: 'b', size: 4, modifiedAt },
      ],
    });
    expect([await lineFiles.remove(join(folder, 'b')), await lineFiles.remove(join(folder, 'b'))]).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
    expect(await lineFiles.list(folder)).toMatchObject({ ok: true, value: [{ name: 'a' }] });
    expect(await lineFiles.list(join(folder, 'none'))).toMatchObject({ ok: true, value: [] });
    expect(await lineFiles.list(join(folder, 'a'))).toMatchObject({ ok: false });
    expect(await lineFiles.remove(join(folder, 'a', 'b'))).toMatchObject({ ok: false });
  });
});

describe('reading lines', () => {
  it('returns them one by one and reports whether the last one is complete', async () => {
    expect(await linesOf(await fileOf('one\n\nzwölf\n'))).toEqual([whole('one'), whole(''), whole('zwölf')]);
    expect(await linesOf(await fileOf('one\ntw'))).toEqual([
      whole('one'),
      { ok: true, value: { text: 'tw', isWhole: false } },
    ]);
    expect(await linesOf(await fileOf(''))).toEqual([]);
  });

  it('joins lines that arrive in pieces, even within a character', async () => {
    const long = 'ä'.repeat(100_000);
    expect(await linesOf(await fileOf(`x${long}\n${long}\n`))).toEqual([whole(`x${long}`), whole(long)]);
  });

  it('buffers at most one line', async () => {
    let count = 0;
    for await (const line of lineFiles.read('/dev/zero')) {
      count += 1;
      expect(line).toEqual({
        ok: false,
        error: `cannot read '/dev/zero': a line is longer than ${maxLineLength} characters`,
      });
    }
    expect(count).toBe(1);
  });

  it('rejects binary content and paths that are not files', async () => {
    const binary = await fileOf(Uint8Array.of(0x61, 0x0a, 0xff, 0xfe));
    expect((await linesOf(binary)).at(-1)).toEqual({
      ok: false,
      error: `cannot read '${binary}': it is not UTF-8 text`,
    });
    const cut = await fileOf(Uint8Array.of(0x61, 0xc3));
    expect((await linesOf(cut)).at(-1)).toMatchObject({ ok: false });
    const folder = await temporaryFolder();
    expect(await linesOf(folder)).toEqual([{ ok: false, error: `cannot read '${folder}': it is a directory` }]);
    expect(await linesOf(join(folder, 'none'))).toMatchObject([{ ok: false }]);
  });
});
