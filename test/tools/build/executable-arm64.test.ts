import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { buildExecutable } from '../../../tools/build/executable.ts';
import { buildPackages } from '../../../tools/build/packages.ts';
import { canEmulateArm64, emulated, nodeForArm64 } from '../../support/arm64.ts';
import { program } from '../../support/build-program.ts';
import { type Child, eventually, startChild } from '../../support/child.ts';
import { freePort } from '../../support/free-port.ts';
import { send } from '../../support/http.ts';
import { findTool, requireTool } from '../../support/tools.ts';

const output = (tool: string, ...args: readonly string[]): string => execFileSync(tool, args, { encoding: 'utf8' });
/** The largest pages of arm64, with which some distributions run. */
const largestPage = 0x1_00_00;

// A start takes seconds of processor time: the tests of the executable of this architecture cover the rest.
describe.skipIf(!canEmulateArm64())('the executable for arm64', () => {
  let folder: string;
  let executable: string;

  const start = (...args: readonly string[]): Child => {
    const [command, ...rest] = emulated(executable);
    const child = startChild(command, [...rest, ...args], { cwd: folder, env: { PATH: '/nowhere' } });
    onTestFinished(() => child.kill('SIGKILL'));
    return child;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-arm64-'));
    executable = join(folder, 'graphwarden');
    buildExecutable(program, executable, { path: await nodeForArm64(), strip: 'aarch64-linux-gnu-strip' });
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('requires the libraries of the packages, and glibc 2.28 as the guide says', () => {
    const headers = output('aarch64-linux-gnu-objdump', '--private-headers', executable);
    expect(headers).toContain('file format elf64-littleaarch64\n');
    const needed = [...headers.matchAll(/^ +NEEDED +(\S+)$/gm)].map(([, name]) => name);
    const ofGlibc = ['ld-linux-aarch64.so.1', 'libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'];
    expect(new Set(needed)).toEqual(new Set([...ofGlibc, 'libgcc_s.so.1', 'libstdc++.so.6']));
    const versions = [...headers.matchAll(/ GLIBC_2\.(\d+)$/gm)].map(([, minor]) => Number(minor));
    expect(Math.max(...versions)).toBe(28);
  });

  it('can be loaded with pages of any size', () => {
    const headers = output('aarch64-linux-gnu-objdump', '--private-headers', executable);
    const segments = [...headers.matchAll(/^ +LOAD off +(\S+) vaddr (\S+) /gm)];
    // Two of Node, and that of the application.
    expect(segments).toHaveLength(3);
    for (const [, offset, address] of segments) expect((Number(address) - Number(offset)) % largestPage).toBe(0);
  });

  it('prints its version', async () => {
    const child = start('--version');
    expect([await child.ended, child.stdout()]).toEqual([0, output(process.execPath, program, '--version')]);
  });

  it('reads its configuration, polls, stores its state and stops', async () => {
    const port = await freePort();
    const nodes = [{ name: 'm1', url: 'http://127.0.0.1:9' }];
    const settings = { listen: `127.0.0.1:${port}`, clusters: [{ name: 'prod', nodes }] };
    await writeFile(join(folder, 'graphwarden.yml'), stringify(settings));
    const daemon = start('run', '--config', 'graphwarden.yml');
    await eventually('it polls', () => Promise.resolve(daemon.stderr().includes('"collector":"health"')));
    const up = '\ngraphdb_up{cluster_name="prod",node="m1"} 0\n';
    const metrics = async (): Promise<string> => (await send(`http://127.0.0.1:${port}/metrics`)).text;
    await eventually('it has the result', async () => (await metrics()).includes(up));
    expect(await daemon.stop()).toBe(0);
    // The program of this architecture reads it too.
    const state = output(process.execPath, program, 'state', 'check', join(folder, 'state', 'state.db'));
    expect(state).toMatch(/\nintegrity +ok .*\nbounds +ok +[1-9]/);
  });
});

const formatTools = ['nfpm', 'dpkg-deb', 'rpm'];

it.skipIf(formatTools.some((name) => findTool(name) === undefined))(
  'packages state the architecture arm64',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graphwarden-arm64-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const executable = join(folder, 'graphwarden');
    for (const name of ['graphwarden', 'THIRD-PARTY-NOTICES.txt', 'graphwarden.cdx.json'])
      await writeFile(join(folder, name), 'content');
    const parts = { executable, arch: 'arm64', documents: folder, version: '1.0.0', isQuick: true };
    await buildPackages(parts, requireTool('nfpm'), folder);
    const deb = join(folder, 'graphwarden_1.0.0_arm64.deb');
    expect(output('dpkg-deb', '--field', deb, 'Architecture')).toBe('arm64\n');
    const rpm = join(folder, 'graphwarden-1.0.0-1.aarch64.rpm');
    expect(output('rpm', '--query', '--nosignature', '--queryformat', '%{ARCH}', '--package', rpm)).toBe('aarch64');
  },
);
