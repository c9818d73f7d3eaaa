import { execFile, execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { PostgresSettings } from '../../src/runtime/postgres/connection.ts';
import { type Child, eventually, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { findTool, requireTool } from './tools.ts';

/** PostgreSQL server on loopback with its own data folder. */
export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  readonly pid: () => number;
  /** Settings of the user of tests, a superuser, for a database. */
  settings(database?: string, other?: Partial<PostgresSettings>): PostgresSettings;
  /** Runs statements in a database as superuser, and returns the rows of the last one. */
  sql(statements: string, database?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Creates an empty database and returns its name. */
  createDatabase(): Promise<string>;
  /** Stops the server: `fast` ends connections, `immediate` is a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

const execute = promisify(execFile);

/** Whether PostgreSQL is installed; prints what is missing. With `CI=true`, throws instead. */
export function hasPostgres(): boolean {
  return findTool('postgres') !== undefined;
}

/** User of the tests in the database. */
export const superuser = 'tester';

/** Options for speed: nothing survives a crash of the machine. */
const speed = ['fsync=off', 'full_page_writes=off', 'shared_buffers=16MB', 'autovacuum=off', 'max_wal_size=128MB'];

/** Starts a server with the data of a new installation. */
export async function startPostgres(options: readonly string[] = []): Promise<PostgresServer> {
  const { folder, data } = await serverFolder('graphwarden-postgres-');
  await copyTree(await newInstallation(), data);
  return openServer(folder, data, options);
}

/** Creates a folder that the user of the server can access, and returns it with the path of its data. */
async function serverFolder(prefix: string): Promise<{ readonly folder: string; readonly data: string }> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  return { folder, data: join(folder, 'data') };
}

/** Returns the data of a new installation. They are created once and copied, which takes a sixth of the time. */
async function newInstallation(): Promise<string> {
  const version = basename(dirname(dirname(program('postgres'))));
  const kept = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', `postgres-${version}`);
  if (existsSync(kept)) return kept;
  const { folder, data } = await serverFolder('graphwarden-initdb-');
  await makeDataFolder(data);
  const initial = ['--pgdata', data, '--username', superuser, '--auth', 'trust', '--no-sync', '--no-instructions'];
  await asServer(program('initdb'), [...initial, '--encoding', 'UTF8', '--locale', 'C', '--wal-segsize', '1']);
  await mkdir(dirname(kept), { recursive: true });
  const copy = await mkdtemp(`${kept}-`);
  await copyTree(`${data}/.`, copy);
  // Another process may have been faster.
  await rename(copy, kept).catch(() => rm(copy, { recursive: true }));
  await rm(folder, { recursive: true });
  return kept;
}

async function makeDataFolder(data: string): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  giveToServer(data);
}

/** Copies a folder with the owners of its files. */
async function copyTree(from: string, to: string): Promise<void> {
  await execute('cp', ['-a', from, to]);
}

/** Opens a server on the data of an installation, such as those of a standby. */
async function openServer(folder: string, data: string, options: readonly string[] = []): Promise<PostgresServer> {
  const port = await freePort();
  const args = ['-D', data, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  let child: Child | undefined;
  let databases = 0;
  const settings: PostgresServer['settings'] = (database = 'postgres', other = {}) => ({
    hosts: [{ host: '127.0.0.1', port }],
    user: superuser,
    database,
    credentials: async () => ({}),
    ...other,
  });
  const sql: PostgresServer['sql'] = async (statements, database = 'postgres') => {
    const client = new Client({ host: '127.0.0.1', port, user: superuser, database });
    await client.connect();
    try {
      const result = await client.query(statements);
      return [result].flat().at(-1)?.rows ?? [];
    } finally {
      await client.end();
    }
  };
  const stop = async (how: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    child?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await child?.ended;
    child = undefined;
  };
  const start = async (): Promise<void> => {
    const tuning = [...speed, ...options].flatMap((option) => ['-c', option]);
    const [run = '', ...rest] = serverCommand(program('postgres'), [...args, ...tuning]);
    const started = startChild(run, rest);
    child = started;
    let hasEnded = false;
    void started.ended.finally(() => {
      hasEnded = true;
    });
    await eventually('PostgreSQL answers', async () => {
      if (hasEnded) throw new Error(started.stderr());
      return sql('SELECT 1').then(
        () => true,
        () => undefined,
      );
    });
  };
  await start();
  return {
    port,
    folder,
    pid: () => child?.pid ?? 0,
    settings,
    sql,
    createDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      await sql(`CREATE DATABASE ${name}`);
      return name;
    },
    stop,
    start,
    remove: async () => {
      await stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates and starts a standby of a running server. */
export async function startStandby(primary: PostgresServer, options: readonly string[] = []): Promise<PostgresServer> {
  const { folder, data } = await serverFolder('graphwarden-standby-');
  await makeDataFolder(data);
  const source = `host=127.0.0.1 port=${primary.port} user=${superuser}`;
  await asServer(program('pg_basebackup'), [
    '--pgdata',
    data,
    '--dbname',
    source,
    '--checkpoint',
    'fast',
    '--no-sync',
    '-R',
  ]);
  return openServer(folder, data, options);
}

/** Promotes a standby to primary. */
export async function promote(standby: PostgresServer): Promise<void> {
  await standby.sql('SELECT pg_promote(TRUE)');
}

/** Writes a file into the data folder of a server, such as `pg_hba.conf`, and makes it take effect. */
export async function configure(server: PostgresServer, file: string, text: string): Promise<void> {
  const path = join(server.folder, 'data', file);
  await writeFile(path, text, { mode: 0o600 });
  giveToServer(path);
  await server.sql('SELECT pg_reload_conf()');
}

function program(name: string): string {
  return join(dirname(realpathSync(requireTool('postgres'))), name);
}

/** The server and its pooler refuse to run as root: they run as the user of Debian's package. */
export function serverCommand(run: string, args: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return [run, ...args];
  return [requireTool('setpriv'), '--reuid=postgres', '--regid=postgres', '--clear-groups', run, ...args];
}

/** Runs a command as the user of the server without blocking this process, whose simulated servers continue. */
async function asServer(run: string, args: readonly string[]): Promise<void> {
  const [first = '', ...rest] = serverCommand(run, args);
  await execute(first, rest, { cwd: '/' });
}

export function giveToServer(path: string): void {
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:postgres', path]);
}
