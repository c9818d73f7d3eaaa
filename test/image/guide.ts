import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

const after = `
${ready}
docker healthcheck run graphwarden
echo "== answers $(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:9916/-/ready)"
echo "== state $(docker exec graphwarden /nodejs/bin/node -e 'console.log(fs.readdirSync("/var/lib/graphwarden/state").join())')"
docker stop graphwarden > /dev/null
echo "== ended with $(docker inspect --format '{{.State.ExitCode}}' graphwarden)"
docker rm graphwarden > /dev/null
docker volume rm graphwarden > /dev/null
`;

/** The commands of the guide that run the image, as they are. */
function commandsOfGuide(): readonly string[] {
  const chapter = readFileSync('docs/install.md', 'utf8').split('\n## Container\n')[1] ?? '';
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(chapter) ?? [];
  return block
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line !== '');
}

/** Runs the guide with the image of a builder under the documented name, and returns what it printed. */
export function runContainerGuide({ env, buildah }: Builder, image: string, folder: string): string {
  const programs = join(folder, 'bin');
  const settings = join(folder, 'guide');
  for (const one of [programs, settings]) mkdirSync(one);
  symlinkSync(requireTool('podman'), join(programs, 'docker'));
  const podman = join(folder, 'containers.conf');
  writeFileSync(
    podman,
    '[containers]\ncgroups = "disabled"\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n',
  );
  buildah('tag', image, 'localhost/graphwarden');
  const [demo = '', ...rest] = commandsOfGuide();
  const steps = rest.map((line) => (line.startsWith('docker exec') ? `${ready}\n${line}` : line));
  const script = [
    before(settings),
    `timeout 20 ${demo} > /run/demo & wait_for grep 9916 /run/demo; kill %1; wait`,
    'set -eu',
    ...steps,
    after,
  ].join('\n');
  const PATH = `${programs}:${env.PATH}:/usr/sbin`;
  return execFileSync(requireTool('unshare'), [...isolation, 'bash', '-xc', script], {
    env: { ...env, PATH, CONTAINERS_CONF: podman },
    encoding: 'utf8',
    timeout: 240_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
