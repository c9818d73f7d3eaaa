import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { err } from '../../src/kernel/result.ts';
import { listenOnSocket } from '../../src/runtime/local-socket.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { fixedReply } from '../support/served-listener.ts';

const open = (path: string, body = 'done') =>
  listenOnSocket({ path, handler: fixedReply({ body }), log: recordingLogger() });

it('a local socket can be opened by its owner only, for any umask of the process', async () => {
  const path = join(await temporaryFolder(), 'control.sock');
  const mask = process.umask(0);
  onTestFinished(() => void process.umask(mask));
  const socket = await open(path);
  expect(await readdir(dirname(path))).toEqual(['control.sock']);
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
  expect((await send('http://localhost/', { socketPath: path })).text).toBe('done');
  if (socket.ok) await socket.value.close(0);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

it('a local socket replaces the socket of a killed process', async () => {
  const path = join(await temporaryFolder(), 'control.sock');
  await writeFile(path, '');
  const socket = await open(path, 'new');
  expect((await send('http://localhost/', { socketPath: path })).text).toBe('new');
  if (socket.ok) await socket.value.close(0);
});

it('a local socket does not replace a socket on which another process listens', async () => {
  const path = join(await temporaryFolder(), 'control.sock');
  const first = await open(path, 'first');
  expect(await open(path)).toEqual(err(`cannot listen on '${path}': another process listens on it`));
  expect((await send('http://localhost/', { socketPath: path })).text).toBe('first');
  if (first.ok) await first.value.close(0);
});

it('a local socket detects whether its path refers to it, and removes no other file', async () => {
  const folder = join(await temporaryFolder(), 'state');
  const path = join(folder, 'control.sock');
  await mkdir(folder);
  const socket = await open(path);
  if (!socket.ok) throw new Error(socket.error);
  const bound = socket.value;
  expect(await bound.isReachable()).toBe(true);
  await rename(folder, `${folder}.away`);
  expect(await bound.isReachable()).toBe(false);
  await rename(`${folder}.away`, folder);
  expect(await bound.isReachable()).toBe(true);
  await rm(path);
  await writeFile(path, '');
  expect(await bound.isReachable()).toBe(false);
  await bound.close(0);
  expect(await readdir(folder)).toEqual(['control.sock']);
});

it('a local socket returns the reason of a listen failure', async () => {
  const folder = await temporaryFolder();
  const long = join(folder, 'x'.repeat(100));
  expect(await open(long)).toEqual({
    ok: false,
    error: `cannot listen on '${long}': the path is longer than 103 bytes`,
  });
  const taken = join(folder, 'folder');
  await mkdir(taken);
  expect(await open(taken)).toMatchObject({ ok: false, error: expect.stringContaining(`cannot listen on '${taken}'`) });
  expect(await readdir(folder)).toEqual(['folder']);
  const missing = join(folder, 'missing', 'control.sock');
  expect(await open(missing)).toMatchObject({ ok: false });
});
