import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { PostgresConnection, type PostgresCredentials } from '../../../src/runtime/postgres/connection.ts';
import { kindOfError } from '../../../src/runtime/postgres/errors.ts';
import { nodeTlsOptions } from '../../../src/runtime/tls-material.ts';
import { selfSigned } from '../../support/certificates.ts';
import { eventually } from '../../support/child.ts';
import { configure, hasPostgres, startPostgres, superuser } from '../../support/postgres.ts';

it.skipIf(!hasPostgres())(
  'PostgreSQL connection › verifies the server by its CA, and authenticates with a client certificate',
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const [own, client] = [selfSigned('localhost'), selfSigned('secured')];
    await server.sql('CREATE ROLE secured LOGIN');
    await configure(server, 'server.crt', own.cert);
    await configure(server, 'server.key', own.key);
    await configure(server, 'root.crt', client.cert);
    await configure(server, 'pg_hba.conf', `hostssl all secured all cert\nhost all ${superuser} all trust\n`);
    await server.sql("ALTER SYSTEM SET ssl_ca_file = 'root.crt'");
    await server.sql('ALTER SYSTEM SET ssl = on');
    await server.sql('SELECT pg_reload_conf()');
    const userOver = async (credentials: PostgresCredentials) => {
      const settings = server.settings('postgres', { user: 'secured', credentials: async () => credentials });
      const connection = new PostgresConnection(settings, systemClock);
      try {
        const sql = 'SELECT current_user::text AS name, ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
        return (await connection.transaction((run) => run(sql), { withoutSchema: true })).rows;
      } finally {
        await connection.close();
      }
    };
    const tls = nodeTlsOptions({ ca: own.cert, cert: client.cert, key: client.key });
    await expect
      .poll(() => userOver({ tls }).catch(() => []), { timeout: 30_000 })
      .toEqual([{ name: 'secured', ssl: true }]);
    await expect(userOver({ tls: { ...tls, ca: client.cert } })).rejects.toThrow('self-signed certificate');
    await expect(userOver({ tls: nodeTlsOptions({ ca: own.cert }) })).rejects.toThrow('client certificate');
    await expect(userOver({})).rejects.toThrow('no pg_hba.conf entry');
  },
);

it.skipIf(!hasPostgres())(
  'PostgreSQL connection › keeps no locks of a transaction that stops in the middle',
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    await server.sql('CREATE TABLE leases (cluster TEXT PRIMARY KEY)');
    await server.sql("INSERT INTO leases VALUES ('prod')");
    const connection = new PostgresConnection(server.settings(), systemClock);
    onTestFinished(() => connection.close());
    const options = { withoutSchema: true, timeout: 200 };
    const stopped = connection.transaction(async (run) => {
      await run('SELECT cluster FROM leases FOR SHARE');
      await eventually('another replica gets the lock', async () => {
        return (await server.sql('SELECT cluster FROM leases FOR UPDATE SKIP LOCKED')).length === 1;
      });
      return run("INSERT INTO leases VALUES ('test')");
    }, options);
    await expect(stopped).rejects.toSatisfy((error) => kindOfError(error) === 'connection');
    const next = await connection.transaction((run) => run('SELECT cluster FROM leases'), options);
    expect(next.rows).toEqual([{ cluster: 'prod' }]);
  },
);
