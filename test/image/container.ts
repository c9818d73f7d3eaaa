import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { eventually, startChild } from '../support/child.ts';

const run = promisify(execFile);

/** A program that is process 1 of its own namespace, on a file system that it cannot write to. */
export interface Container {
  /** Its number as we see it. */
  readonly pid: number;
  stderr(): string;
  readonly ended: Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** Does what `docker exec` does, and gives the bytes of the output as Latin-1; rejects when the command fails. */
  exec(...command: readonly string[]): Promise<string>;
  /** Ends it by force, if it has not ended. */
  remove(): void;
}

/** Options of a container. */
export interface Recipe {
  /** Where the image is mounted. */
  readonly root: string;
  /** A folder that it sees as /etc/graphwarden. */
  readonly settings: string;
  /** Two numbers with a colon in between. */
  readonly user: string;
  /** Where it starts. */
  readonly folder: string;
}

const script = `
root=$1 settings=$2 uid=$3 gid=$4 folder=$5; shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
mkdir -p "$root/proc" "$root/etc/graphwarden"
mount -t proc proc "$root/proc"
mount --bind "$settings" "$root/etc/graphwarden"
mount -t tmpfs -o "mode=0700,uid=$uid,gid=$gid" tmpfs "$root/var/lib/graphwarden"
mount -o remount,bind,ro "$root/etc/graphwarden"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs unshare --root="$root" --wd="$folder" --setgid="$gid" --setuid="$uid" "$@"
`;

/** Starts `command` as a container engine would: read-only, as `user`, with no way to more rights, as process 1. */
export async function startContainer(recipe: Recipe, command: readonly string[]): Promise<Container> {
  const [uid = '', gid = ''] = recipe.user.split(':');
  const around = ['--pid', '--fork', '--mount', 'sh', '-euc', script, 'sh'];
  const facts = [recipe.root, recipe.settings, uid, gid, recipe.folder];
  const child = startChild('unshare', [...around, ...facts, ...command], { env: { PATH: process.env.PATH } });
  const pid = await eventually('the namespace has a process', () => firstChild(child.pid));
  let over = false;
  const ended = child.ended.finally(() => {
    over = true;
  });
  const kill = (signal: NodeJS.Signals): void => void process.kill(pid, signal);
  const inside = ['--target', `${pid}`, '--mount', '--pid', '--root', '--wd', '--setuid', uid, '--setgid', gid];
  return {
    pid,
    stderr: () => child.stderr(),
    ended,
    kill,
    exec: async (...args) =>
      (await run('nsenter', [...inside, ...args], { encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 })).stdout,
    remove: () => (over ? undefined : kill('SIGKILL')),
  };
}

async function firstChild(pid: number): Promise<number | undefined> {
  const [first = ''] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ');
  return first === '' ? undefined : Number(first);
}
