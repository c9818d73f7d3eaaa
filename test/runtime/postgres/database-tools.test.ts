import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { folder, settingsOf, tools } from './state-directories.ts';

describe.skipIf(!hasPostgres())('the tools for a shared database', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it('refuses a state directory without a database, and a server that does not answer', async () => {
    const settings = await settingsOf(server);
    expect(await tools.migrate('postgres', { settings, folder: await folder() })).toMatchObject({
      ok: false,
      error: expect.stringContaining('no such file'),
    });
    const away = { ...settings, hosts: [{ host: '127.0.0.1', port: 1 }] };
    expect(await tools.check(away)).toEqual({
      ok: false,
      error: 'PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED)',
    });
  });
});
