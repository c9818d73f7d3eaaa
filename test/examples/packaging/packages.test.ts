import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildExecutable } from '../../../tools/build/executable.ts';
import { buildPackages, createUserScript, packagedUnit } from '../../../tools/build/packages.ts';
import { program } from '../../support/build-program.ts';
import { eventually } from '../../support/child.ts';
import { bootSystemd, type SystemdHost } from '../../support/systemd.ts';
import { findTool, requireTool } from '../../support/tools.ts';
import { output } from './syscalls.ts';

const isPossible =
  process.getuid?.() === 0 &&
  ['nfpm', 'strip', 'unshare', 'nsenter', 'systemctl', 'dpkg-deb', 'rpm'].every((name) => findTool(name) !== undefined);

const config = '/etc/graphwarden/graphwarden.yml';
const arch = process.arch === 'x64' ? { deb: 'amd64', rpm: 'x86_64' } : { deb: 'arm64', rpm: 'aarch64' };
const deb = (version: string): string => `graphwarden_${version}_${arch.deb}.deb`;
const rpmFile = (version: string): string => `graphwarden-${version}-1.${arch.rpm}.rpm`;

/** The commands of the chapter of the guide about packages that a package manager installs. */
async function guideCommands(): Promise<readonly string[]> {
  const guide = await readFile('docs/install.md', 'utf8');
  const [, text = ''] = /\n## Debian or RPM package\n([\s\S]*?)\n## /.exec(guide) ?? [];
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, code = '']) => code);
}

describe.skipIf(!isPossible)('the Debian and RPM packages', () => {
  let folder: string;
  let host: SystemdHost;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-packages-'));
    const executable = join(folder, 'graphwarden');
    const home = join(folder, 'home');
    await mkdir(join(home, 'next'), { recursive: true });
    buildExecutable(program, executable);
    output(process.execPath, 'tools/build/release-documents.ts', program);
    const parts = { executable, documents: dirname(program) };
    await buildPackages({ ...parts, version: '1.0.0', isQuick: true }, requireTool('nfpm'), home);
    // The next version is compressed as a release, and starts the same program.
    await rename(executable, join(home, 'graphwarden'));
    await writeFile(executable, '#!/bin/sh\nexec /srv/home/graphwarden "$@"\n');
    await buildPackages({ ...parts, version: '1.1.0' }, requireTool('nfpm'), join(home, 'next'));
    host = await bootSystemd(home);
    // The executable contains Node.
    host.run('rm /usr/local/bin/node');
  }, 400_000);

  afterAll(async () => {
    await host.stop();
    await rm(folder, { recursive: true });
  });

  it('have the program, its unit, user, configuration, manual, completions and licenses', () => {
    const inDeb = output('dpkg-deb', '--contents', join(folder, 'home', deb('1.0.0')))
      .split('\n')
      .filter((line) => line.includes('graphwarden') && !line.includes('/usr/share/graphwarden/'))
      .map((line) => line.replace(/^(\S+) (\S+) .*? \.(\S+)$/, '$1 $2 $3'))
      .filter((line) => !line.startsWith('d') || line.includes('/etc/'));
    expect(inDeb).toEqual([
      'drwxr-x--- root/graphwarden /etc/graphwarden/',
      '-rw-r----- root/graphwarden /etc/graphwarden/graphwarden.yml',
      '-rwxr-xr-x root/root /usr/bin/graphwarden',
      '-rw-r--r-- root/root /usr/lib/systemd/system/graphwarden.service',
      '-rw-r--r-- root/root /usr/lib/sysusers.d/graphwarden.conf',
      '-rw-r--r-- root/root /usr/share/bash-completion/completions/graphwarden',
      '-rw-r--r-- root/root /usr/share/doc/graphwarden/THIRD-PARTY-NOTICES.gz',
      '-rw-r--r-- root/root /usr/share/doc/graphwarden/copyright',
      '-rw-r--r-- root/root /usr/share/doc/graphwarden/graphwarden.cdx.json',
      '-rw-r--r-- root/root /usr/share/fish/vendor_completions.d/graphwarden.fish',
      '-rw-r--r-- root/root /usr/share/man/man1/graphwarden.1.gz',
      '-rw-r--r-- root/root /usr/share/zsh/vendor-completions/_graphwarden',
    ]);
    const inRpm = output('rpm', '-qlp', '--nosignature', join(folder, 'home', rpmFile('1.0.0'))).split('\n');
    expect(inRpm).toEqual(
      expect.arrayContaining([
        config,
        '/usr/bin/graphwarden',
        '/usr/lib/systemd/system/graphwarden.service',
        '/usr/share/licenses/graphwarden/LICENSE',
        '/usr/share/zsh/site-functions/_graphwarden',
      ]),
    );
  });

  it('the Debian package is installed by the commands of the guide, and becomes ready', async () => {
    const [install = 'false', start = 'false'] = await guideCommands();
    const installed = host.run(install);
    expect([installed.status, installed.output]).toEqual([
      0,
      expect.stringContaining('Setting up graphwarden (1.0.0)'),
    ]);
    expect(host.run(`stat --format '%U %G %a' /etc/graphwarden ${config}`).output).toBe(
      'root graphwarden 750\nroot graphwarden 640\n',
    );
    expect(host.run('systemctl is-enabled graphwarden').output).toBe('disabled\n');
    expect(host.run(start)).toEqual({ status: 0, output: expect.any(String) });
    await eventually('it is ready', async () => host.run('curl --fail http://127.0.0.1:9916/-/ready').status === 0);
    expect(host.run('man --where graphwarden').output).toBe('/usr/share/man/man1/graphwarden.1.gz\n');
    expect(host.run('bash -c ". /usr/share/bash-completion/completions/graphwarden"').status).toBe(0);
  });

  it('an upgrade keeps the configuration and restarts the service', async () => {
    host.run(`echo '# changed' >> ${config}; chmod 0600 ${config}; chown graphwarden ${config}`);
    const before = host.run('systemctl show graphwarden --property MainPID --value').output;
    expect(host.run(`dpkg --install next/${deb('1.1.0')}`).status).toBe(0);
    await eventually('it is ready', async () => host.run('curl --fail http://127.0.0.1:9916/-/ready').status === 0);
    expect(host.run('systemctl show graphwarden --property MainPID --value').output).not.toBe(before);
    expect(host.run(`tail -n 1 ${config}; stat --format '%U %G %a' ${config}`).output).toBe(
      '# changed\ngraphwarden graphwarden 600\n',
    );
  });

  it('a removal stops the service and keeps configuration and state, a purge deletes them', () => {
    const left = (): string => host.run('ls -d /etc/graphwarden/* /var/lib/graphwarden /usr/bin/graphwarden').output;
    expect(host.run('dpkg --remove graphwarden').status).toBe(0);
    expect(host.run('systemctl is-active graphwarden').output).toBe('inactive\n');
    expect(left()).toContain(`${config}\n`);
    expect(left()).toContain('/var/lib/graphwarden\n');
    const purged = host.run('dpkg --purge graphwarden');
    expect([purged.status, purged.output]).toEqual([0, expect.not.stringContaining('warning')]);
    const folders = '/boot /etc /lib /opt /usr /var';
    const rest = host.run(`find ${folders} -name '*graphwarden*' -not -path '*/doc/*' -not -path '/var/lib/systemd/*'`);
    expect(rest.output).toBe('');
  });

  it('the RPM package is installed, upgraded and erased', async () => {
    const options = '--nodeps --nosignature --force-debian';
    const installed = host.run(`rpm --install ${options} ${rpmFile('1.0.0')}`);
    expect([installed.status, installed.output]).toEqual([0, '']);
    expect(host.run('rpm --verify --nodeps graphwarden')).toEqual({ status: 0, output: '' });
    expect(host.run(`stat --format '%U %G %a' ${config}`).output).toBe('root graphwarden 640\n');
    expect(host.run('systemctl start graphwarden').status).toBe(0);
    host.run(`echo '# changed' >> ${config}`);
    expect(host.run(`rpm --upgrade ${options} next/${rpmFile('1.1.0')}`)).toEqual({ status: 0, output: '' });
    expect(host.run(`tail -n 1 ${config}; systemctl is-active graphwarden`).output).toBe('# changed\nactive\n');
    expect(host.run('rpm --erase --force-debian graphwarden').output).toBe(
      `warning: ${config} saved as ${config}.rpmsave\n`,
    );
    expect(host.run('systemctl is-active graphwarden').output).toBe('inactive\n');
    expect(host.run('ls /usr/bin/graphwarden').status).not.toBe(0);
  });
});

it('the unit of a package starts the program of the package', async () => {
  const unit = packagedUnit(await readFile('examples/packaging/graphwarden.service', 'utf8'));
  expect(unit).toContain('\nExecStart=/usr/bin/graphwarden run --config /etc/graphwarden/graphwarden.yml\n');
  expect(unit).toContain('\nDocumentation=man:graphwarden(1)\n');
  expect(unit).not.toContain('/usr/local');
});

it('the user of an RPM package exists before its files, as the package declares it', async () => {
  const script = createUserScript(await readFile('examples/packaging/graphwarden.sysusers', 'utf8'));
  expect(script).toBe(
    `systemd-sysusers --replace=/usr/lib/sysusers.d/graphwarden.conf - << 'END'\n` +
      `u graphwarden - "graphwarden monitoring" /var/lib/graphwarden\nEND\n`,
  );
});
