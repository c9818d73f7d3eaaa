import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFile, maxFileBytes, replaceFile, systemFiles } from '../../src/runtime/files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('reading a text', () => {
  it('returns the whole text as UTF-8', async () => {
    const path = join(folder, 'text');
    await writeFile(path, 'é\nline\n');
    expect(await systemFiles.readText(path)).toEqual({ ok: true, value: 'é\nline\n' });
  });

  it('returns the reason of a failure', async () => {
    const missing = join(folder, 'missing');
    expect(await systemFiles.readText(missing)).toEqual({
      ok: false,
      error: `cannot read '${missing}': no such file`,
    });
    expect(await systemFiles.readText(folder)).toEqual({
      ok: false,
      error: `cannot read '${folder}': it is a directory`,
    });
    const below = join(folder, 'file', 'below');
    await writeFile(join(folder, 'file'), '');
    expect(await systemFiles.readText(below)).toMatchObject({
      ok: false,
      error: expect.stringContaining('not a directory'),
    });
  });

  it.each([
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl',
    'Zm9vYmFyYmF6cXV4/9Zm9vYmFy+YmF6cXV4Zm9v==',
    '0123456789abcdef0123456789abcdef',
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX',
    'jiokmfqqfu2f95qs6ug85o89rpkneib3',
    'Bearer short',
    '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq/hkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n',
  ])('does not repeat the secret %s that was written where its file belongs', async (secret) => {
    for (const base of [`${folder}/`, '']) {
      expect(await systemFiles.readText(base + secret)).toEqual({
        ok: false,
        error: `cannot read '${base}…' (the name is hidden, because it looks like a secret): no such file`,
      });
    }
  });

  it.each(['graph-read-token-2024.txt', 'missing/folder/token', 'Secrets/GRAPH_READ_TOKEN_PRODUCTION'])(
    'repeats the path %s',
    async (name) => {
      expect(await systemFiles.readText(`${folder}/${name}`)).toEqual({
        ok: false,
        error: `cannot read '${folder}/${name}': no such file`,
      });
    },
  );

  it('rejects content that is not text, without its content in the error', async () => {
    const path = join(folder, 'binary');
    await writeFile(path, Uint8Array.of(0x61, 0xff, 0xfe));
    expect(await systemFiles.readText(path)).toEqual({
      ok: false,
      error: `cannot read '${path}': it is not UTF-8 text`,
    });
  });

  it('refuses a named pipe, which would block a thread until another process writes to it', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await systemFiles.readText(path)).toEqual({ ok: false, error: `cannot read '${path}': it is a named pipe` });
  });

  it('reads at most the maximum size, also from an endless device', async () => {
    expect(await systemFiles.readText('/dev/zero')).toEqual({
      ok: false,
      error: `cannot read '/dev/zero': it is larger than ${maxFileBytes} bytes`,
    });
    const full = join(folder, 'full');
    await writeFile(full, Buffer.alloc(maxFileBytes, 'x'));
    expect(await systemFiles.readText(full)).toMatchObject({ ok: true });
    await appendFile(full, 'y');
    expect(await systemFiles.readText(full)).toMatchObject({ ok: false });
  });
});

describe('a replaced file', () => {
  it('has the new text and is readable by its owner only', async () => {
    const path = join(folder, 'replaced');
    for (const text of ['first', 'second']) {
      expect(await replaceFile(path, text)).toEqual({ ok: true, value: undefined });
      expect(await systemFiles.readText(path)).toEqual({ ok: true, value: text });
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await systemFiles.presence(`${path}.new`)).toBe('absent');
  });

  it('replaces the remains of a crash', async () => {
    const path = join(folder, 'interrupted');
    await writeFile(path, 'old');
    await writeFile(`${path}.new`, 'a longer text that is cut o');
    expect(await replaceFile(path, 'new')).toMatchObject({ ok: true });
    expect(await systemFiles.readText(path)).toEqual({ ok: true, value: 'new' });
  });

  it('states why it is not written', async () => {
    const path = join(folder, 'no-folder', 'file');
    expect(await replaceFile(path, 'text')).toEqual({ ok: false, error: `cannot write '${path}': no such file` });
  });
});

describe('a stamp', () => {
  it('is constant for an unchanged file, and changes with its contents', async () => {
    const path = join(folder, 'stamped');
    await writeFile(path, 'one');
    const first = await systemFiles.stamp(path);
    expect(await systemFiles.stamp(path)).toBe(first);
    await writeFile(path, 'two!');
    expect(await systemFiles.stamp(path)).not.toBe(first);
  });

  it('changes when another file replaces it, and when a mounted link is swapped', async () => {
    const path = join(folder, 'replaced');
    await writeFile(path, 'same');
    const first = await systemFiles.stamp(path);
    await writeFile(`${path}.new`, 'same');
    await rename(`${path}.new`, path);
    expect(await systemFiles.stamp(path)).not.toBe(first);

    for (const version of ['v1', 'v2']) {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, 'token'), 'x');
    }
    await symlink('v1', join(folder, 'current'));
    const mounted = await systemFiles.stamp(join(folder, 'current', 'token'));
    await symlink('v2', join(folder, 'next'));
    await rename(join(folder, 'next'), join(folder, 'current'));
    expect(await systemFiles.stamp(join(folder, 'current', 'token'))).not.toBe(mounted);
  });

  it('is undefined without a file', async () => {
    expect(await systemFiles.stamp(join(folder, 'nowhere'))).toBeUndefined();
  });
});

describe('the presence of a file', () => {
  it.each([
    ['a file', 'present', 'here'],
    ['a folder', 'present', ''],
    ['nothing', 'absent', 'nowhere'],
    ['nothing in no folder', 'absent', 'no/where'],
    ['a link that leads nowhere', 'present', 'dangling'],
    ['a path through a file', 'unreadable', 'here/below'],
    ['a name that is too long', 'unreadable', 'x'.repeat(5000)],
  ])('is «$1» for $0', async (_, expected, name) => {
    await writeFile(join(folder, 'here'), '');
    await rm(join(folder, 'dangling'), { force: true });
    await symlink('nowhere', join(folder, 'dangling'));
    expect(await systemFiles.presence(join(folder, name))).toBe(expected);
  });
});

describe('the watcher of a folder', () => {
  it('reports the names of files that change', async () => {
    const reported = Promise.withResolvers<string | undefined>();
    const stop = systemFiles.watch?.(join(folder, 'any'), reported.resolve);
    await writeFile(join(folder, 'watched'), '');
    expect(await reported.promise).toBe('watched');
    stop?.();
  });

  it('fails without a folder', () => {
    expect(systemFiles.watch?.(join(folder, 'no', 'folder'), () => undefined)).toBeUndefined();
  });
});

describe('creating a file', () => {
  it('creates it readable by its owner and group only', async () => {
    const path = join(folder, 'created');
    expect(await createFile(path, 'text')).toEqual({ ok: true, value: undefined });
    expect(await systemFiles.readText(path)).toEqual({ ok: true, value: 'text' });
    expect((await stat(path)).mode & 0o007).toBe(0);
  });

  it('never overwrites one', async () => {
    const path = join(folder, 'mine');
    await writeFile(path, 'precious');
    expect(await createFile(path, 'text')).toEqual({
      ok: false,
      error: `cannot create '${path}': the file already exists; it was not changed`,
    });
    expect(await systemFiles.readText(path)).toEqual({ ok: true, value: 'precious' });
  });

  it('returns the reason of a failure', async () => {
    const path = join(folder, 'no', 'folder');
    expect(await createFile(path, '')).toEqual({
      ok: false,
      error: `cannot create '${path}': its directory does not exist`,
    });
  });
});
