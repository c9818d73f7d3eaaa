import { readdirSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { type Child, eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { pageOf } from '../support/in-process-daemon.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { startProgram } from '../support/program.ts';

/** Folder with the configuration of a daemon whose cluster is unreachable. */
async function setUp(): Promise<{ readonly folder: string; readonly state: string }> {
  const folder = await temporaryFolder();
  const settings = {
    listen: '127.0.0.1:0',
    state_dir: 'state',
    clusters: [{ name: 'c', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }], graphs: ['fraud'] }],
  };
  await writeFile(join(folder, 'graphwarden.yml'), stringify(settings));
  return { folder, state: join(folder, 'state') };
}

function start(folder: string): Child {
  const child = startProgram(['run', '--config', join(folder, 'graphwarden.yml')], { cwd: folder });
  onTestFinished(async () => void (await child.stop()));
  return child;
}

async function live(folder: string): Promise<{ readonly child: Child; readonly url: string }> {
  const child = start(folder);
  const address = (): string | undefined => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1];
  const url = await eventually('the daemon logs its address', async () => address());
  return { child, url };
}

async function durableAt(url: string): Promise<number | undefined> {
  return pageOf((await send(`${url}/metrics`)).text).value('graphwarden_state_durable');
}

describe('the folder of the state', () => {
  it('has one daemon at a time', async () => {
    const { folder } = await setUp();
    const first = await live(folder);
    const second = start(folder);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toMatch(/another daemon uses the state directory '.*state'/);
    expect(await first.child.stop()).toBe(0);
    expect(await (await live(folder)).child.stop()).toBe(0);
  });

  it('is left to the newer program that wrote it', async () => {
    const { folder, state } = await setUp();
    await mkdir(state);
    const newer = new DatabaseSync(join(state, 'state.db'));
    newer.exec('PRAGMA user_version = 999');
    newer.close();
    const child = start(folder);
    expect(await child.ended).toBe(1);
    expect(child.stderr()).toContain('has schema version 999 and was written by a newer release');
  });

  it('is created again if it is unusable', async () => {
    const { folder, state } = await setUp();
    await mkdir(state);
    writeFileSync(join(state, 'state.db'), 'no database'.repeat(1000));
    const { child, url } = await live(folder);
    await eventually('the state is durable', async () => (await durableAt(url)) === 1);
    expect(await child.stop()).toBe(0);
    expect(child.stderr()).toMatch(/not a database; it was moved to/);
    expect(readdirSync(state).some((name) => name.startsWith('state.db.corrupt-'))).toBe(true);
  });

  it('does not stop monitoring if it cannot be opened', async () => {
    const { folder, state } = await setUp();
    await writeFile(state, 'this should be a folder');
    const { child, url } = await live(folder);
    await eventually('the state is not durable', async () => (await durableAt(url)) === 0);
    expect((await send(`${url}/api/v1/transitions`)).status).toBe(200);
    expect(await child.stop()).toBe(0);
    expect(child.stderr()).toMatch(/is kept only in memory: not a directory/);
  });
});
