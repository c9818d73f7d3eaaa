import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { buildExecutable } from '../../../tools/build/executable.ts';
import { program } from '../../support/build-program.ts';
import { type Child, eventually, startChild } from '../../support/child.ts';
import { freePort } from '../../support/free-port.ts';
import { endingScript, guideBlocks, runIsolated } from '../../support/guide.ts';
import { send } from '../../support/http.ts';
import { findTool } from '../../support/tools.ts';

const megabyte = 1_000_000;
const alice = { headers: { authorization: `Basic ${Buffer.from('alice:right').toString('base64')}` } };

describe.skipIf(findTool('strip') === undefined)('the executable', () => {
  let folder: string;
  let executable: string;
  /** Without Node on the path. */
  const env = { PATH: '/nowhere' };

  const start = (...args: readonly string[]): Child => {
    const child = startChild(executable, args, { cwd: folder, env });
    onTestFinished(() => child.kill('SIGKILL'));
    return child;
  };
  const output = (...args: readonly string[]): string =>
    execFileSync(executable, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-executable-'));
    executable = join(folder, 'graphwarden');
    buildExecutable(program, executable);
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('is smaller than 130 MB', async () => {
    const { size } = await stat(executable);
    process.stdout.write(`the executable has ${(size / megabyte).toFixed(1)} MB\n`);
    expect(size).toBeLessThan(130 * megabyte);
  });

  it('runs commands as the program does', async () => {
    for (const args of [['--version'], ['--help'], ['completion', 'bash']]) {
      const expected = execFileSync(process.execPath, [program, ...args], { encoding: 'utf8' });
      expect(output(...args)).toBe(expected);
    }
    output('init', 'starter.yml');
    expect(output('check-config', 'starter.yml')).toBe('ok\n');
    expect(await start('run', '--confg', 'x').ended).toBe(2);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'is extracted from its archive and tried by the commands of the guide',
    async () => {
      const [commands = 'false', ...others] = guideBlocks('docs/install.md', 'Executable');
      expect(others).toEqual([]);
      const home = join(folder, 'guide');
      const content = `graphwarden-1.0.0-linux-${process.arch}`;
      await mkdir(join(home, content), { recursive: true });
      await link(executable, join(home, content, 'graphwarden'));
      // The guide extracts it whatever its level; the usual one takes seconds.
      execFileSync('tar', ['-I', 'gzip -1', '-cf', `${content}.tar.gz`, content], { cwd: home });
      await rm(join(home, content), { recursive: true });
      const said = runIsolated(endingScript(commands), { cwd: home, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
      expect(said).toContain('graphwarden.yml written');
      expect(said).toContain('"msg":"listening"');
    },
  );

  it('serves metrics and the page, stores its state, and compares passwords in a thread', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const nodes = [{ name: 'm1', url: 'http://127.0.0.1:9' }];
    const settings = { listen: `127.0.0.1:${port}`, web_config_file: 'web.yml', clusters: [{ name: 'prod', nodes }] };
    await writeFile(join(folder, 'graphwarden.yml'), stringify(settings));
    await writeFile(join(folder, 'web.yml'), `basic_auth_users: { alice: ${hashSync('right', 10)} }\n`);
    const child = start('run', '--config', 'graphwarden.yml');
    await eventually('it answers', async () => (await send(`${url}/-/healthy`)).status === 200);
    const up = 'graphdb_up{cluster_name="prod",node="m1"} 0';
    await eventually('it polls', async () => (await send(`${url}/metrics`, alice)).text.includes(up));
    expect((await send(`${url}/metrics`)).status).toBe(401);
    expect((await send(`${url}/`, alice)).text).toContain('<!doctype html>');
    expect((await send(`${url}/docs/runbook`, alice)).text).toContain('node_unreachable');
    await eventually('it stores its state', async () => (await stat(join(folder, 'state', 'state.db'))).size > 0);
    child.kill('SIGHUP');
    await eventually('it reloads', () => Promise.resolve(child.stderr().includes('config reloaded')));
    expect(await child.stop()).toBe(0);
  });

  it('runs the demo', async () => {
    const child = start('demo', '--listen', '127.0.0.1:0');
    const url = await eventually('the demo prints its address', () =>
      Promise.resolve(/(http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(child.stdout())?.[1]),
    );
    await eventually('it polls', async () => /^graphdb_up\{.*\} 1$/m.test((await send(`${url}/metrics`)).text));
    expect(await child.stop()).toBe(0);
    expect(child.stderr()).not.toContain('Warning');
  });
});

it('the executable is not built if files of the bundle are missing', async () => {
  const output = join(tmpdir(), 'never-written');
  expect(() => buildExecutable('/nowhere/graphwarden.mjs', output)).toThrow('/nowhere/chunks');
  await expect(readFile(output)).rejects.toThrow('ENOENT');
});
