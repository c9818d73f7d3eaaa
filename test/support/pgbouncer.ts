import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresSettings } from '../../src/runtime/postgres/connection.ts';
import { eventually, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { giveToServer, type PostgresServer, serverCommand, superuser } from './postgres.ts';
import { findTool, requireTool } from './tools.ts';

/** PgBouncer in transaction mode in front of a PostgreSQL server. */
export interface Pooler {
  readonly port: number;
  /** Settings of the user of tests for a database, through the pooler. */
  settings(database: string): PostgresSettings;
  stop(): Promise<void>;
}

/** Whether PgBouncer is installed; prints what is missing. With `CI=true`, throws instead. */
export function hasPgbouncer(): boolean {
  return findTool('pgbouncer') !== undefined;
}

/** Starts a pooler. All clients share its few connections to the server, so that none has its own session. */
export async function startPgbouncer(server: PostgresServer, connections = 2): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-pooler-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const users = join(folder, 'users.txt');
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(users, `"${superuser}" ""\n`);
  await writeFile(
    config,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
server_login_retry = 1
`,
  );
  giveToServer(folder);
  const [program = '', ...args] = serverCommand(requireTool('pgbouncer'), [config]);
  const child = startChild(program, args);
  const settings: Pooler['settings'] = (database) =>
    server.settings(database, { hosts: [{ host: '127.0.0.1', port }] });
  await eventually(`PgBouncer listens: ${child.stderr()}`, async () => child.stderr().includes('process up'));
  return {
    port,
    settings,
    stop: async () => {
      child.kill('SIGKILL');
      await child.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
