import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { buildExecutable } from '../../../tools/build/executable.ts';
import { buildPackages, createUserScript, dependencies, packagedUnit } from '../../../tools/build/packages.ts';
import { program } from '../../support/build-program.ts';
import { eventually } from '../../support/child.ts';
import { guideBlocks, guideCommands } from '../../support/guide.ts';
import { bootSystemd, type SystemdHost } from '../../support/systemd.ts';
import { findTool, requireTool } from '../../support/tools.ts';
import { output } from './syscalls.ts';

const isPossible =
  process.getuid?.() === 0 &&
  ['nfpm', 'strip', 'unshare', 'nsenter', 'systemctl', 'dpkg-deb', 'rpm'].every((name) => findTool(name) !== undefined);

const hasManagers = ['dnf', 'zypper'].every((name) => findTool(name) !== undefined);

const config = '/etc/graphwarden/graphwarden.yml';
const arch = process.arch === 'x64' ? { deb: 'amd64', rpm: 'x86_64' } : { deb: 'arm64', rpm: 'aarch64' };
const deb = (version: string): string => `graphwarden_${version}_${arch.deb}.deb`;
const rpmFile = (version: string): string => `graphwarden-${version}-1.${arch.rpm}.rpm`;

const chapter = 'Debian or RPM package';
const [install = 'false', start = 'false', ...noOthers] = guideBlocks('docs/install.md', chapter);
const [upgrade = 'false', rollBack = 'false', remove = 'false', purge = 'false', ...noMore] = guideCommands(
  'docs/install/upgrade.md',
  chapter,
  /^apt-get /,
);
const [upgradeRpm = 'false', downgradeRpm = 'false', removeRpm = 'false', ...noOtherRpm] = guideCommands(
  'docs/install/upgrade.md',
  chapter,
  /^dnf /,
);
const [dnf = 'false', zypper = 'false', ...noMoreRpm] = guideCommands('docs/install.md', chapter, /^(?:dnf|zypper) /);
const [upgradeSuse = 'false', downgradeSuse = 'false', removeSuse = 'false', ...noOtherSuse] = guideCommands(
  'docs/install/upgrade.md',
  chapter,
  /^zypper /,
);
const [deleteFiles = 'false', ...noRest] = guideCommands('docs/install/upgrade.md', chapter, /^rm /);

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
    // The answer of a user to the questions of apt-get.
    host.run(`echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/yes`);
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
    expect([noOthers, noMore, noMoreRpm, noOtherRpm, noOtherSuse, noRest].flat()).toEqual([]);
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

  it('an upgrade and a rollback keep the configuration and restart the service', async () => {
    host.run(`echo '# changed' >> ${config}; chmod 0600 ${config}; chown graphwarden ${config}`);
    const pid = (): string => host.run('systemctl show graphwarden --property MainPID --value').output;
    for (const [version, command] of [
      ['1.1.0', `cd next; ${upgrade}`],
      ['1.0.0', rollBack],
    ] as const) {
      const before = pid();
      expect(host.run(command).output).toContain(`Setting up graphwarden (${version})`);
      await eventually('it is ready', async () => host.run('curl --fail http://127.0.0.1:9916/-/ready').status === 0);
      expect(pid()).not.toBe(before);
      expect(host.run(`tail -n 1 ${config}; stat --format '%U %G %a' ${config}`).output).toBe(
        '# changed\ngraphwarden graphwarden 600\n',
      );
    }
  });

  it('an upgrade completes if the service does not start, and states it', async () => {
    const overrides = '/etc/systemd/system/graphwarden.service.d';
    host.run(`mkdir ${overrides}; printf '[Service]\\nExecStartPre=false\\n' > ${overrides}/fail.conf`);
    expect(host.run('systemctl is-active graphwarden').output).toBe('active\n');
    const upgraded = host.run(`cd next; ${upgrade}`);
    expect([upgraded.status, upgraded.output]).toEqual([
      0,
      expect.stringContaining('Job for graphwarden.service failed'),
    ]);
    expect(host.run("dpkg-query --show --showformat '${Status}' graphwarden").output).toBe('install ok installed');
    host.run(`rm -r ${overrides}; systemctl daemon-reload; systemctl mask graphwarden`);
    expect(host.run(rollBack).output).toContain('Setting up graphwarden (1.0.0)');
    expect(host.run("dpkg-query --show --showformat '${Status}' graphwarden").output).toBe('install ok installed');
    expect(host.run('systemctl unmask graphwarden; systemctl reset-failed; systemctl start graphwarden').status).toBe(
      0,
    );
  });

  it('a removal stops the service and keeps configuration and state, a purge deletes them', () => {
    const left = (): string => host.run('ls -d /etc/graphwarden/* /var/lib/graphwarden /usr/bin/graphwarden').output;
    expect(host.run(remove).status).toBe(0);
    expect(host.run('systemctl is-active graphwarden').output).toBe('inactive\n');
    expect(left()).toContain(`${config}\n`);
    expect(left()).toContain('/var/lib/graphwarden\n');
    const purged = host.run(purge);
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
    expect(host.run(deleteFiles)).toEqual({ status: 0, output: '' });
  });

  it.skipIf(!hasManagers)(
    'the RPM package is installed, upgraded, downgraded and removed by the commands of the guides',
    () => {
      const version = (): string => host.run('rpm --query --queryformat "%{VERSION}" graphwarden').output;
      // The database of rpm is empty, and Debian has it at another place: a package provides what the system has.
      const base = stringify({
        name: 'base',
        arch: process.arch === 'x64' ? 'amd64' : 'arm64',
        version: '1.0.0',
        maintainer: 'tests',
        provides: [...dependencies.rpm, '/bin/sh'],
      });
      host.run(`mkdir -p /srv/base /etc/rpm; cat > /srv/base/nfpm.yaml << 'YAML'\n${base}YAML`);
      const made = host.run(
        `cd /srv/base; ${requireTool('nfpm')} package --packager rpm
        echo '%_dbpath /var/lib/rpm' > /etc/rpm/macros.database; echo assumeyes=True >> /etc/dnf/dnf.conf
        rpm --install --force-debian --nodeps *.rpm`,
      );
      expect([made.status, made.output]).toEqual([0, made.output]);
      const none = 'package graphwarden is not installed\n';
      for (const [command, expected] of [
        [zypper, '1.0.0'],
        [`cd next; ${upgradeSuse}`, '1.1.0'],
        [downgradeSuse, '1.0.0'],
        [removeSuse, none],
        [dnf, '1.0.0'],
        [`cd next; ${upgradeRpm}`, '1.1.0'],
        [downgradeRpm, '1.0.0'],
        [removeRpm, none],
      ] as const) {
        // The answer of a user to the questions of zypper.
        const { status, output: said } = host.run(command.replace('zypper', 'zypper --non-interactive'));
        expect([command, status, said]).toEqual([command, 0, said]);
        expect(version()).toBe(expected);
      }
    },
  );
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
