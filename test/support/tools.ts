import { accessSync, constants, existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

const packages: Readonly<Record<string, string>> = {
  'aarch64-linux-gnu-strip': 'binutils-aarch64-linux-gnu',
  buildah: 'buildah',
  dnf: 'dnf',
  etcd: 'etcd-server',
  ip: 'iproute2',
  'iptables-restore': 'iptables',
  mmdebstrap: 'mmdebstrap',
  nsenter: 'util-linux',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  'qemu-aarch64-static': 'qemu-user-static',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  amtool: 'prometheus-alertmanager',
  nginx: 'nginx-light',
  jq: 'jq',
  curl: 'curl',
  openssl: 'openssl',
  npm: 'npm',
  npx: 'npm',
  chromium: 'chromium',
  pgbouncer: 'pgbouncer',
  postgres: 'postgresql',
  prlimit: 'util-linux',
  setpriv: 'util-linux',
  strace: 'strace',
  strip: 'binutils',
  groff: 'groff-base',
  rpm: 'rpm',
  'dpkg-deb': 'dpkg',
  unshare: 'util-linux',
  zypper: 'zypper',
  '/usr/aarch64-linux-gnu/lib/libstdc++.so.6': 'libstdc++6-arm64-cross',
  'systemd-analyze': 'systemd',
  'systemd-sysusers': 'systemd',
};

/**
 * Returns the path of a program, or of a file with an absolute path, that some tests need. If it is not installed, prints that and
 * returns undefined; with `CI=true` it throws instead, because CI must not skip tests.
 */
export function findTool(name: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const found = isAbsolute(name) ? [name].find(existsSync) : findProgram(name, environment);
  if (found !== undefined) return found;
  const sentence = isBuilt(name)
    ? `${name} is not built (tools/build/tools/build.sh ${name})`
    : `${name} is not installed (Debian: apt install ${packages[name] ?? name})`;
  if (environment.CI === 'true') throw new Error(sentence);
  process.stderr.write(`${sentence}: the tests that need it are skipped\n`);
  return undefined;
}

/** Returns the path of a tool of `tools/build/tools` that CI builds only if time permits; undefined if it is not built. */
export function builtTool(name: string): string | undefined {
  const path = join(builtTools(), name);
  if (isProgram(path)) return path;
  process.stderr.write(
    `${name} is not built (tools/build/tools/build.sh ${name}): the test that needs it is skipped\n`,
  );
  return undefined;
}

/** Returns the path of a program that {@link findTool} has already found. */
export function requireTool(name: string): string {
  const found = findTool(name);
  if (found === undefined) throw new Error(`${name} is needed here`);
  return found;
}

function findProgram(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const folders = isBuilt(name)
    ? [builtTools(environment)]
    : [...(environment.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', ...postgresFolders()];
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Whether a tool is built from `tools/build/tools`. Another version in the path could have other results. */
function isBuilt(name: string): boolean {
  return existsSync(join(import.meta.dirname, '..', '..', 'tools', 'build', 'tools', name));
}

/** Returns the folders in which Debian installs the programs of PostgreSQL's server, which are not in the path. */
function postgresFolders(): readonly string[] {
  return globSync('/usr/lib/postgresql/*/bin').toSorted();
}

/** Returns the folder in which `tools/build/tools/build.sh` installs tools. */
function builtTools(environment: NodeJS.ProcessEnv = process.env): string {
  return join(cacheFolder(environment), 'tools');
}

/** Returns the cache folder for files that take long to create; all checkouts share it. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment.XDG_CACHE_HOME ?? join(environment.HOME ?? homedir(), '.cache'), 'graphwarden');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
