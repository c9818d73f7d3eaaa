import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configure, hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { attempt, opened } from './opened-stores.ts';

const counter = (name: string, value: number) => ({ table: 'counters', put: { name, value } });

describe.skipIf(!hasPostgres())('opening a PostgreSQL database', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
    await server.sql("CREATE ROLE warden LOGIN PASSWORD 'right'; CREATE ROLE guest LOGIN");
  });
  afterAll(() => server.remove());

  it('fails if the database does not exist, or its server does not answer', async () => {
    expect(await attempt(server.settings('nowhere'))).toBe(
      `there is no database 'nowhere': create it with CREATE DATABASE "nowhere" OWNER "tester"`,
    );
    const away = { hosts: [{ host: '127.0.0.1', port: 1 }] };
    expect(await attempt(server.settings('postgres', away))).toBe(
      'PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED)',
    );
  });

  it('fails with a wrong or missing password, without printing it', async () => {
    const database = await server.createDatabase();
    await server.sql(`ALTER DATABASE ${database} OWNER TO warden`);
    await configure(
      server,
      'pg_hba.conf',
      'host all warden 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n',
    );
    const as = (password?: string) =>
      attempt(server.settings(database, { user: 'warden', credentials: async () => ({ password }) }));
    const refused =
      "PostgreSQL refuses the user 'warden': check the user in state_url, state_password_file and pg_hba.conf";
    expect(await as('hunter2')).toBe(refused);
    expect(await as()).toMatch(/password/);
    expect(typeof (await as('right'))).toBe('object');
  });

  it('fails if the user lacks privileges, unless an administrator created the schema', async () => {
    const database = await server.createDatabase();
    const settings = server.settings(database, { user: 'guest' });
    expect(await attempt(settings)).toBe(
      `the user 'guest' lacks privileges: GRANT CREATE ON DATABASE "${database}" TO "guest", and it must own the schema graphwarden`,
    );
    await server.sql('CREATE SCHEMA graphwarden AUTHORIZATION guest', database);
    expect(typeof (await attempt(settings))).toBe('object');
  });

  it('fails if a newer release migrated the database', async () => {
    const database = await server.createDatabase();
    await (await opened(server.settings(database))).close();
    await server.sql("INSERT INTO graphwarden.migrations VALUES (99, '9.0.0', 0)", database);
    expect(await attempt(server.settings(database))).toBe(
      `the database '${database}' has schema version 99, and this release supports version 2: install the newer release again`,
    );
  });

  it('migrates the first version with its rows', async () => {
    const settings = server.settings(await server.createDatabase());
    const first = await opened(settings);
    await first.commit([counter('a', 1)]);
    await first.close();
    const back = `ALTER TABLE graphwarden.replicas DROP COLUMN fingerprint; DROP TABLE graphwarden.replica_key;
      UPDATE graphwarden.migrations SET version = 1`;
    await server.sql(back, settings.database);
    const second = await opened(settings);
    expect(await second.count({ table: 'counters' })).toEqual({ ok: true, value: 1 });
    const columns = 'SELECT fingerprint, (SELECT count(*) FROM graphwarden.replica_key) FROM graphwarden.replicas';
    expect(await server.sql(columns, settings.database)).toEqual([]);
  });

  it('fails if the encoding is not UTF-8', async () => {
    await server.sql("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    expect(await attempt(server.settings('latin'))).toBe(
      "the encoding of the database 'latin' is LATIN1: create it with ENCODING 'UTF8'",
    );
  });

  it('migrates the database once if replicas start together', async () => {
    const settings = server.settings(await server.createDatabase());
    const stores = await Promise.all([opened(settings), opened(settings), opened(settings)]);
    expect(await stores[2]?.commit([counter('a', 1)])).toEqual({ ok: true, value: undefined });
    expect(await server.sql('SELECT count(*)::int AS rows FROM graphwarden.migrations', settings.database)).toEqual([
      { rows: 1 },
    ]);
  });
});
