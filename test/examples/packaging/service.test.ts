import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { eventually, startChild } from '../../support/child.ts';
import { send } from '../../support/http.ts';
import { temporaryFolder } from '../../support/live-ports.ts';
import { findTool } from '../../support/tools.ts';
import { allowedCalls, output } from './syscalls.ts';

const service = 'examples/packaging/graphwarden.service';
const systemd = findTool('systemd-analyze');
const sysusers = findTool('systemd-sysusers');
const strace = findTool('strace');

/** Accepted exposures, each with its reason. */
const open = [
  'DeviceAllow',
  'IPAddressDeny',
  'MemoryDenyWriteExecute',
  'NotifyAccess',
  'PrivateNetwork',
  'RestrictAddressFamilies_AF_INET_INET6',
  'RestrictAddressFamilies_AF_UNIX',
  'RootDirectoryOrRootImage',
];

describe.skipIf(systemd === undefined)('the unit of systemd', () => {
  it('is valid for systemd-analyze', async () => {
    const unit = await readFile(service, 'utf8');
    const copy = join(await temporaryFolder(), 'graphwarden.service');
    await writeFile(copy, unit.replaceAll('/usr/local/bin/graphwarden', process.execPath));
    const { stderr } = verify(copy);
    expect(stderr.split('\n').filter((line) => line.includes('graphwarden.service'))).toEqual([]);
  });

  it('is reported by systemd-analyze if it is invalid', async () => {
    const copy = join(await temporaryFolder(), 'graphwarden.service');
    await writeFile(copy, (await readFile(service, 'utf8')).replace('ProtectSystem=strict', 'ProtectSystem=stric'));
    expect(verify(copy).stderr).toContain('Failed to parse');
  });

  it('allows minutes for the check and the migration of a large state', async () => {
    expect(await readFile(service, 'utf8')).toMatch(/^TimeoutStartSec=15min$/m);
    expect(await readFile('Dockerfile', 'utf8')).toContain('--start-period=15m');
  });

  it('has the exposure level of the guide', async () => {
    const [, stated] =
      /`systemd-analyze security`[^.]*?\b(\d\.\d)\b/.exec(await readFile('docs/install.md', 'utf8')) ?? [];
    const said = output(systemd ?? '', 'security', '--offline=true', '--no-pager', service);
    const [, score] = /Overall exposure level for \S+: (\d+\.\d)/.exec(said) ?? [];
    expect(score).toBe(stated);
  });

  it('allows only the access that it needs', () => {
    const finding = z.object({ json_field: z.string(), exposure: z.string().nullable() });
    const text = output(systemd ?? '', 'security', '--offline=true', '--json=short', service);
    const left = z
      .array(finding)
      .parse(JSON.parse(text))
      .filter(({ exposure }) => exposure !== null && Number(exposure) > 0);
    expect(left.map(({ json_field }) => json_field).toSorted()).toEqual(open);
  });

  it.skipIf(strace === undefined)('allows every system call that the daemon makes', async () => {
    const trace = join(await temporaryFolder(), 'trace');
    const child = startChild(strace ?? '', ['-D', '-f', '-o', trace, process.execPath, ...demo], {});
    onTestFinished(async () => void (await child.stop()));
    const url = await eventually('the demo prints its address', () =>
      Promise.resolve(/(http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(child.stdout())?.[1]),
    );
    await eventually('it is ready', async () => (await send(`${url}/-/ready`)).status === 200);
    await child.stop();
    const made = new Set(
      [...(await readFile(trace, 'utf8')).matchAll(/^\d+ +(\w+)\(/gm)].map(([, name]) => name ?? ''),
    );
    expect(made.size).toBeGreaterThan(30);
    const allowed = allowedCalls(await readFile(service, 'utf8'), systemd ?? '');
    expect([...made].filter((name) => !allowed.has(name))).toEqual([]);
  });
});

describe.skipIf(sysusers === undefined)('the user of the unit', () => {
  it('is created by systemd-sysusers, without a login shell', async () => {
    const root = await temporaryFolder();
    await mkdir(join(root, 'etc'));
    execFileSync(sysusers ?? '', [`--root=${root}`, join(process.cwd(), 'examples/packaging/graphwarden.sysusers')]);
    const unit = await readFile(service, 'utf8');
    const [, user] = /^User=(.*)$/m.exec(unit) ?? [];
    const passwd = await readFile(join(root, 'etc', 'passwd'), 'utf8');
    expect(passwd).toMatch(
      new RegExp(`^${user}:[^:]*:[1-9]\\d*:[1-9]\\d*:[^:]*:/var/lib/graphwarden:\\S*/nologin$`, 'm'),
    );
  });
});

const demo = ['bin/graphwarden.mjs', 'demo', '--receivers', '--listen', '127.0.0.1:0'];

function verify(unit: string): { readonly stderr: string } {
  const child = spawnSync(systemd ?? '', ['verify', '--man=no', unit], { encoding: 'utf8' });
  return { stderr: child.stderr };
}
