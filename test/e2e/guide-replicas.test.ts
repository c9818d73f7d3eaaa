import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { selfSigned } from '../support/certificates.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { guideBlocks } from '../support/guide.ts';
import { installedProgram } from '../support/installed-program.ts';
import { configure, hasPostgres, startPostgres, superuser } from '../support/postgres.ts';
import { findTool } from '../support/tools.ts';

const guide = 'docs/guides/high-availability.md';
const isPossible = hasPostgres() && findTool('jq') !== undefined && findTool('curl') !== undefined;
const execute = promisify(execFile);

/** A PostgreSQL with TLS and the user and the database of the guide, which requires its password. */
async function databaseOfGuide() {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const { cert, key } = selfSigned('localhost');
  await configure(server, 'server.crt', cert);
  await configure(server, 'server.key', key);
  const access = `hostssl all graphwarden all scram-sha-256\nhost all ${superuser} all trust\n`;
  await configure(server, 'pg_hba.conf', access);
  await server.sql('ALTER SYSTEM SET ssl = on');
  await server.sql('SELECT pg_reload_conf()');
  const [statements = ''] = guideBlocks(guide, 'Set up', 'sql');
  for (const statement of statements.split(';').filter((text) => text.trim() !== '')) await server.sql(statement);
  return { port: server.port, ca: cert };
}

it.skipIf(!isPossible)('the commands of the guide for high availability move the state and check it', async () => {
  const { port, ca } = await databaseOfGuide();
  const { cwd: folder, env } = await installedProgram();
  const run = async (script: string): Promise<string> =>
    (await execute('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })).stdout;

  const rest = stringify({
    listen: '127.0.0.1:0',
    clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }],
  });
  const state = join(folder, 'state');
  const first: (() => Promise<void>)[] = [];
  await startDaemon(`state_dir: ${state}\n${rest}`, (end) => void first.unshift(end));
  for (const end of first) await end();
  const [settings = ''] = guideBlocks(guide, 'Set up', 'yaml');
  const here = settings
    .replace('postgres-0.example.org,postgres-1.example.org', `127.0.0.1:${port}`)
    .replace('/run/secrets/postgres-password', join(folder, 'password'))
    .replace('/etc/graphwarden/postgres-ca.crt', join(folder, 'ca.crt'))
    .replace('/var/lib/graphwarden', state);
  await writeFile(join(folder, 'password'), 'change-me\n');
  await writeFile(join(folder, 'ca.crt'), ca);
  await writeFile(join(folder, 'graphwarden.yml'), `${here}${rest}`);

  const [move = ''] = guideBlocks(guide, 'Operations');
  expect(await run(move)).toMatch(/connection +ok/);
  const { url } = await startDaemon(`${here}${rest}`);
  const [check = ''] = guideBlocks(guide, 'Check');
  const replica = await eventually('the daemon lists itself', async () => {
    const said = await run(check.replace('http://127.0.0.1:9916', url));
    return said === '' ? undefined : said;
  });
  expect(JSON.parse(replica)).toMatchObject({ live: true });
});
