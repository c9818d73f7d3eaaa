import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guideBlocks, guideCommands } from '../support/guide.ts';
import { requireTool } from '../support/tools.ts';
import type { Builder } from './builder.ts';

const isolation = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/**
 * Podman runs here without systemd, a registry and control groups. `/etc/graphwarden` is a folder of the test, the demo
 * ends after its first output, and a health check runs on request.
 */
const before = (settings: string): string => `
ip link set lo up
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /sys/fs/cgroup
mkdir -p /etc/graphwarden
mount --bind ${settings} /etc/graphwarden
wait_for() { for _ in $(seq 300); do "$@" > /dev/null 2>&1 && return; sleep 0.1; done; echo "never: $*" >&2; return 1; }
`;

const ready = 'wait_for curl --fail --silent http://127.0.0.1:9916/-/ready';

const check = `
${ready}
docker healthcheck run graphwarden
echo "== answers $(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:9916/-/ready)"
echo "== state $(docker exec graphwarden /nodejs/bin/node -e 'console.log(fs.readdirSync("/var/lib/graphwarden/state").join())')"
`;

const stop = `
docker stop graphwarden > /dev/null
echo "== ended with $(docker inspect --format '{{.State.ExitCode}}' graphwarden)"
`;

/** Commands of a chapter of the guide, one a line. */
function chapter(path: string): readonly string[] {
  return guideBlocks(path, 'Container').map((block) => block.replaceAll('\\\n', '').replaceAll(/^\n/gm, ''));
}

/** The commands that install the image, upgrade and restore it, and uninstall it, as they are in the guides. */
function scriptOfGuides(): string {
  const [[installation = '', ...none], upgrades] = [chapter('docs/install.md'), chapter('docs/install/upgrade.md')];
  const [backup = '', remove = '', restore = '', ...more] = upgrades;
  if (none.length + more.length > 0) throw new Error('a block of the guides does not run');
  const [demo = '', init = '', start = '', ...rest] = installation.trim().split('\n');
  const saved = guideCommands('docs/install.md', 'Container', /^docker (?:save|load) /);
  const uninstall = guideCommands('docs/install/upgrade.md', 'Container', /^docker .*rm /);
  const inOrder = [
    [...saved, init, start, ready, ...rest, check],
    // The first command of the block that removes the container stops it.
    [backup, stop, remove, start, check],
    [remove, restore, start, check],
    [...uninstall, 'echo "== left $(docker ps --all --quiet) $(docker volume ls --quiet)"'],
  ];
  return [`timeout 20 ${demo} > /run/demo & wait_for grep 9916 /run/demo; kill %1; wait`, 'set -eu']
    .concat(...inOrder)
    .join('\n');
}

/** Runs the guides with the image of a builder under the documented name, and returns what they printed. */
export function runContainerGuides({ env, buildah }: Builder, image: string, folder: string): string {
  const programs = join(folder, 'bin');
  const settings = join(folder, 'guide');
  const work = join(folder, 'work');
  for (const one of [programs, settings, work]) mkdirSync(one);
  // The user of the image must be able to read the backup.
  chmodSync(work, 0o755);
  symlinkSync(requireTool('podman'), join(programs, 'docker'));
  const podman = join(folder, 'containers.conf');
  writeFileSync(
    podman,
    '[containers]\ncgroups = "disabled"\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n',
  );
  buildah('tag', image, 'localhost/graphwarden');
  const script = `${before(settings)}\ncd ${work}\n${scriptOfGuides()}`;
  const PATH = `${programs}:${env.PATH}:/usr/sbin`;
  return execFileSync(requireTool('unshare'), [...isolation, 'bash', '-xc', script], {
    env: { ...env, PATH, CONTAINERS_CONF: podman },
    encoding: 'utf8',
    timeout: 480_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
