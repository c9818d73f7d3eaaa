import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const programs = '/usr/lib/postgresql/15/bin';
const startTimeout = 60_000;
const host = '127.0.0.1';

/** PostgreSQL with a streaming replica. A commit is acknowledged when the replica has it, so a failover loses none. */
export class PostgresPair {
  readonly #folder: string;
  readonly #owner: ServerOwner;
  #servers = 0;
  #primary: PostgresServer;
  #standby: PostgresServer | undefined;

  static async start(folder: string): Promise<PostgresPair> {
    const owner = await serverOwner();
    const primary = new PostgresServer(join(folder, 'db0'), await freePort(), owner);
    await primary.initialize();
    await primary.start();
    await primary.run('CREATE DATABASE graphwarden', 'postgres');
    return new PostgresPair(folder, owner, primary);
  }

  private constructor(folder: string, owner: ServerOwner, primary: PostgresServer) {
    this.#folder = folder;
    this.#owner = owner;
    this.#primary = primary;
  }

  get port(): number {
    return this.#primary.port;
  }

  /** Executes SQL on the primary; returns the output of psql, without alignment. */
  run(sql: string): Promise<string> {
    return this.#primary.run(sql, 'graphwarden');
  }

  /** Copies the primary to a new streaming replica, and waits until it is synchronous. */
  async addStandby(): Promise<void> {
    this.#servers += 1;
    const standby = new PostgresServer(join(this.#folder, `db${this.#servers}`), await freePort(), this.#owner);
    await standby.copy(this.#primary.port);
    await standby.start();
    await this.#primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'", 'postgres');
    await this.#primary.run('SELECT pg_reload_conf()', 'postgres');
    const latest = Date.now() + startTimeout;
    while (Date.now() < latest) {
      const state = await this.#primary.run('SELECT sync_state FROM pg_stat_replication', 'postgres');
      if (state.trim() === 'sync') break;
      await pause(100);
    }
    this.#standby = standby;
  }

  /** Restarts the primary; `immediate` is a crash of the server. */
  async restart(mode: 'fast' | 'immediate'): Promise<void> {
    await this.#primary.stop(mode);
    await this.#primary.start();
  }

  /** Ends the primary like a crash and promotes the replica. Returns without a replica: {@link addStandby} adds the next. */
  async failOver(): Promise<void> {
    const standby = this.#standby;
    if (standby === undefined) throw new Error('there is no streaming replica');
    const failed = this.#primary;
    await failed.stop('immediate');
    await standby.promote();
    this.#primary = standby;
    this.#standby = undefined;
    await failed.remove();
  }

  async close(): Promise<void> {
    await this.#standby?.stop('immediate');
    await this.#primary.stop('immediate');
  }
}

/** System user of the server, which refuses to run as root. */
interface ServerOwner {
  readonly uid: number;
  readonly gid: number;
}

class PostgresServer {
  readonly port: number;
  readonly #data: string;
  readonly #owner: ServerOwner;

  constructor(data: string, port: number, owner: ServerOwner) {
    this.#data = data;
    this.port = port;
    this.#owner = owner;
  }

  async initialize(): Promise<void> {
    await this.#createFolder();
    await this.#execute('initdb', ['-D', this.#data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8']);
    // The replicas connect from addresses of their own.
    await appendFile(join(this.#data, 'pg_hba.conf'), 'host all all 127.0.0.0/8 trust\n');
    await this.#configure([
      'fsync = off',
      'max_connections = 60',
      "shared_buffers = '16MB'",
      'max_wal_senders = 4',
      "unix_socket_directories = ''",
      "listen_addresses = '127.0.0.1'",
    ]);
  }

  async copy(port: number): Promise<void> {
    await this.#createFolder();
    const source = ['-h', host, '-p', String(port), '-U', 'postgres'];
    await this.#execute('pg_basebackup', [
      ...source,
      '-D',
      this.#data,
      '-R',
      '-c',
      'fast',
      '--no-sync',
      '-X',
      'stream',
    ]);
    // The configuration that the copied server has for its own replica is not that of the copy.
    await this.#configure(["synchronous_standby_names = ''"]);
    await this.#removeAutomaticSetting('synchronous_standby_names');
  }

  async start(): Promise<void> {
    const options = ['-o', `-p ${this.port}`, '-l', join(this.#data, 'server.log')];
    await this.#execute('pg_ctl', ['-D', this.#data, '-w', '-t', '60', ...options, 'start']);
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.#execute('pg_ctl', ['-D', this.#data, '-w', '-m', mode, 'stop']).catch(() => undefined);
  }

  async promote(): Promise<void> {
    await this.#execute('pg_ctl', ['-D', this.#data, '-w', 'promote']);
  }

  async remove(): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
  }

  run(sql: string, database: string): Promise<string> {
    const target = ['-h', host, '-p', String(this.port), '-U', 'postgres', '-d', database];
    return execute('psql', [...target, '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql], {});
  }

  async #createFolder(): Promise<void> {
    await mkdir(this.#data, { mode: 0o700 });
    await chown(this.#data, this.#owner.uid, this.#owner.gid);
  }

  async #configure(lines: readonly string[]): Promise<void> {
    const file = join(this.#data, 'postgresql.conf');
    await appendFile(file, `\n${lines.join('\n')}\n`);
  }

  async #removeAutomaticSetting(name: string): Promise<void> {
    const file = join(this.#data, 'postgresql.auto.conf');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.filter((line) => !line.startsWith(name)).join('\n'));
  }

  #execute(program: string, args: readonly string[]): Promise<string> {
    return execute(join(programs, program), args, this.#owner);
  }
}

function execute(program: string, args: readonly string[], owner: Partial<ServerOwner>): Promise<string> {
  const options = { cwd: '/', maxBuffer: 2 ** 28, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' }, ...owner };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} ${args.slice(0, 6).join(' ')}: ${stderr || error.message}`));
    });
    // The server that pg_ctl starts keeps the pipes open, so its end is not their end.
    child.on('exit', () => setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe?.destroy()), 200));
  });
}

async function serverOwner(): Promise<ServerOwner> {
  if (process.getuid?.() !== 0) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const passwd = await readFile('/etc/passwd', 'utf8');
  const entry = /^postgres:[^:]*:(?<uid>\d+):(?<gid>\d+):/m.exec(passwd)?.groups;
  if (entry?.uid === undefined || entry.gid === undefined) throw new Error('the system has no user postgres');
  return { uid: Number(entry.uid), gid: Number(entry.gid) };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
