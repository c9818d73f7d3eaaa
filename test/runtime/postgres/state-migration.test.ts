import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { folder, folderWithRows, rowsOf, settingsOf, tools } from './state-directories.ts';

describe.skipIf(!hasPostgres())('state migrate', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it('copies all rows to PostgreSQL and back, and refuses a target with rows', async () => {
    const settings = await settingsOf(server);
    const source = await folderWithRows();
    const copied = await tools.migrate('postgres', { settings, folder: source });
    expect(copied).toMatchObject({ ok: true, value: { from: join(source, 'state.db') } });
    expect(copied.ok && copied.value.tables.find(({ name }) => name === 'notifications')).toEqual({
      name: 'notifications',
      rows: 2500,
    });

    expect(await tools.migrate('postgres', { settings, folder: source })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^the database already has rows in the table .+; nothing was copied/),
    });

    const target = await folder();
    expect(await tools.migrate('directory', { settings, folder: target })).toMatchObject({ ok: true });
    for (const table of ['notifications', 'counters', 'unmerged_rows', 'guard_actions']) {
      expect(rowsOf(target, table)).toEqual(rowsOf(source, table));
    }
    expect(await tools.migrate('directory', { settings, folder: target })).toMatchObject({
      ok: false,
      error: expect.stringContaining('already has the database'),
    });

    const report = await tools.check(settings);
    expect(report).toMatchObject({
      ok: true,
      value: {
        schemaVersion: 2,
        supportedVersion: 2,
        program: '1.2.3',
        checks: [
          { name: 'connection', result: 'ok' },
          { name: 'schema', result: 'ok' },
          { name: 'bounds', result: 'ok', detail: '2503 rows' },
        ],
      },
    });
    expect(report.ok && report.value.tables.find(({ name }) => name === 'notifications')).toEqual({
      name: 'notifications',
      rows: 2500,
      oldest: 0,
      newest: 2499,
    });

    await server.sql(
      `INSERT INTO graphwarden.replicas (id, name, url, version, config_hash, started_at, seen_at) VALUES ('i', 'graphwarden-0', '', '1', '', now(), now())`,
      settings.database,
    );
    expect(await tools.migrate('directory', { settings, folder: await folder() })).toEqual({
      ok: false,
      error: 'the replica graphwarden-0 uses the database; stop all replicas and wait half a minute',
    });
  });
});
