import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepSocketOpen, socketCheckInterval } from '../../src/cli/control-socket.ts';
import { listenOnSocket } from '../../src/runtime/local-socket.ts';
import { eventually } from '../support/child.ts';
import { FakeClock } from '../support/clock.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { fixedReply } from '../support/served-listener.ts';

/** Socket in a state directory that does not exist yet. */
async function openTestSocket() {
  const folder = join(await temporaryFolder(), 'state');
  const path = join(folder, 'control.sock');
  const clock = new FakeClock();
  const log = recordingLogger();
  const open = async () => {
    const socket = await keepSocketOpen({ path, handler: fixedReply({ body: 'done' }), listenOnSocket, clock, log });
    onTestFinished(() => socket.close(0));
    return socket;
  };
  const answer = async () => (await send('http://localhost/', { socketPath: path })).text;
  /** Waits for the sleep between two checks, and ends it. */
  const check = async () => {
    await eventually('the socket waits for its next check', async () => clock.sleeping === 1);
    await clock.advance(socketCheckInterval);
    await eventually('the check is over', async () => clock.sleeping === 1);
  };
  const logged = () => log.lines.map(({ level, message }) => [level, message]);
  return { folder, log, open, answer, check, logged };
}

const lost = ['warn', 'control socket unavailable'];
const found = ['info', 'control socket opened'];

it('control socket › opens when its folder appears, with one log line for each change', async () => {
  const { folder, log, open, answer, check, logged } = await openTestSocket();
  await open();
  await check();
  await check();
  expect(logged()).toEqual([lost]);
  expect(log.lines[0]?.fields).toEqual({ error: `cannot listen on '${folder}/control.sock': no such file` });
  await mkdir(folder);
  await check();
  await check();
  expect(logged()).toEqual([lost, found]);
  expect(await answer()).toBe('done');
});

it('control socket › opens again when its folder is deleted and created, and stays open when the folder was only moved away', async () => {
  const { folder, log, open, answer, check, logged } = await openTestSocket();
  await mkdir(folder);
  await open();
  await rename(folder, `${folder}.away`);
  await rename(`${folder}.away`, folder);
  await check();
  expect(logged()).toEqual([]);
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await check();
  expect(logged()).toEqual([lost, found]);
  expect(log.lines[0]?.fields).toEqual({ error: `'${folder}/control.sock' is no longer the socket of this process` });
  expect(await answer()).toBe('done');
});

it('control socket › replaces the socket file of its own earlier folder when that folder returns', async () => {
  const { folder, open, answer, check, logged } = await openTestSocket();
  await mkdir(folder);
  await open();
  await rename(folder, `${folder}.away`);
  await check();
  expect(logged()).toEqual([lost]);
  await rename(`${folder}.away`, folder);
  await check();
  expect(logged()).toEqual([lost, found]);
  expect(await answer()).toBe('done');
});

it('control socket › does not open again after it was closed', async () => {
  const { folder, open, answer } = await openTestSocket();
  await mkdir(folder);
  const socket = await open();
  await socket.close(0);
  await expect(answer()).rejects.toThrow('ENOENT');
});
