import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { folderWithRows, settingsOf, tools } from './state-directories.ts';

describe.skipIf(!hasPostgres())('state check of a shared database', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it('reports a database without tables, one of a newer release and one without a column', async () => {
    const settings = await settingsOf(server);
    expect(await tools.check(settings)).toMatchObject({
      ok: true,
      value: {
        schemaVersion: undefined,
        checks: [{}, { result: 'failed', detail: expect.stringContaining('no tables') }],
      },
    });
    expect(await tools.migrate('postgres', { settings, folder: await folderWithRows() })).toMatchObject({ ok: true });
    await server.sql('ALTER TABLE graphwarden.silences DROP COLUMN reason', settings.database);
    expect(await tools.check(settings)).toMatchObject({
      value: { checks: [{}, { result: 'failed', detail: 'the column silences.reason is missing' }] },
    });
    await server.sql("INSERT INTO graphwarden.migrations VALUES (7, '9', 0)", settings.database);
    expect(await tools.check(settings)).toMatchObject({
      value: { checks: [{}, { detail: 'version 7 of a newer release; this release supports version 2' }] },
    });
  });
});
