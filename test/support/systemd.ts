import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startChild } from './child.ts';
import { requireTool } from './tools.ts';

/** Result of a script that ran on a {@link SystemdHost}. */
export interface ScriptResult {
  readonly status: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Host with a systemd of its own, in namespaces: it has the programs of this host, and its changes are dropped. */
export interface SystemdHost {
  /** Folder of the host with the file of `home`. */
  readonly home: string;
  /** Runs a shell script as root in the folder `home`, which fails at the first command that fails. */
  run(script: string): ScriptResult;
  stop(): Promise<void>;
}

const limit = 300_000;

/**
 * Script that makes `$1` the root of a copy of this host, with the Node of the tests and without services, and runs
 * systemd there. Without lists of packages and an index of manuals, a package is installed in a fraction of the time.
 */
const boot = `
set -eu
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cp "$1.node" "$1/root/usr/local/bin/node"
mkdir -p "$1/root/srv/home" "$1/root/old"
cp -r "$2/." "$1/root/srv/home/"
cd "$1/root"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
rm -rf etc/systemd/system etc/graphwarden var/lib/graphwarden var/lib/apt/lists/* var/lib/man-db/auto-update
mkdir -p etc/systemd/system
printf '[Unit]\\nRequires=dbus.socket\\n' > etc/systemd/system/tests.target
ip link set lo up
pivot_root . old
umount -l /old
exec env -i container=tests PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
  /lib/systemd/systemd --system --unit=tests.target --log-target=journal
`;

/** Boots a host with a copy of the folder `files` as its folder `home`. Requires root. */
export async function bootSystemd(files: string): Promise<SystemdHost> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-systemd-'));
  const root = join(folder, 'host');
  await mkdir(root);
  await copyFile(process.execPath, `${root}.node`);
  await writeFile(join(folder, 'boot.sh'), boot);
  const namespaces = ['--mount', '--pid', '--fork', '--uts', '--ipc', '--cgroup', '--net', '--kill-child'];
  const start = ['bash', join(folder, 'boot.sh'), root, files];
  const child = startChild(requireTool('unshare'), [...namespaces, ...start], {});
  const home = '/srv/home';
  const host = {
    home,
    run: (script: string) => runInside(child.pid, `cd ${home}\n${script}`),
    stop: async () => {
      child.kill('SIGKILL');
      await child.ended;
      await rm(folder, { recursive: true });
    },
  };
  try {
    await eventually(
      `systemd runs: ${child.stderr()}`,
      async () => host.run('systemctl is-active tests.target').status === 0,
    );
  } catch (error) {
    await host.stop();
    throw error;
  }
  return host;
}

/** Runs a script in all namespaces of the only child of `unshare`. */
function runInside(unshare: number, script: string): ScriptResult {
  const init = readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim();
  const enter = ['--target', init, '--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup', '--root', '--wd'];
  const shell = [
    'env',
    '-i',
    'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    'bash',
    '--norc',
    '-euo',
    'pipefail',
  ];
  const { status, stdout, stderr } = spawnSync(requireTool('nsenter'), [...enter, ...shell, '-c', script], {
    encoding: 'utf8',
    timeout: limit,
  });
  return { status, output: `${stdout}${stderr}` };
}
