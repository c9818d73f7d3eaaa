import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/kernel/store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openPostgresStore } from '../../src/runtime/postgres/open-postgres.ts';
import { stateTables } from '../../src/runtime/postgres/schema.ts';
import { LocalStore } from '../../src/runtime/store/local-store.ts';
import { openInMemoryDatabase } from '../../src/runtime/store/migrations.ts';
import { realWorld } from '../support/live-ports.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { storeSuite } from './store-suite.ts';

/** Retention that deletes nothing. */
const forever = { transitions: 1e15, audit: 1e15, notifications: 1e15, size: 2 ** 31 };

describe('the in-memory store', () => {
  storeSuite(async () => new LocalStore(openInMemoryDatabase()));
});

describe('the store in a state directory', () => {
  const open = async (): Promise<Store> => {
    const folder = await mkdtemp(join(tmpdir(), 'graphwarden-store-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const opened = await realWorld.openStore({ folder, retention: forever });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(() => opened.value.close());
    return opened.value;
  };
  storeSuite(open, { knowsSummaries: false });
});

describe.skipIf(!hasPostgres())('the store in PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  storeSuite(async (): Promise<Store> => {
    const settings = server.settings(await server.createDatabase());
    const opened = await openPostgresStore({ settings, retention: forever, clock: systemClock, program: 'test' });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(() => opened.value.close());
    return opened.value;
  });
});

it('store › has the same tables and columns in PostgreSQL as in SQLite', () => {
  const sqlite = openInMemoryDatabase();
  const columns = sqlite.rows(
    `SELECT tables.name AS "table", columns.name AS "column", columns."notnull" AS required, columns.type AS type, columns.pk > 0 AS keyed
    FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name <> 'migrations'`,
  );
  const described = Object.entries(stateTables).flatMap(([table, { key, columns: types }]) =>
    Object.entries(types).map(([column, type]) => ({
      table,
      column,
      required: type.includes('NOT NULL') ? 1 : 0,
      type: type.startsWith('TEXT') ? 'TEXT' : 'INTEGER',
      // Texts of any length are no key in PostgreSQL, where nothing is merged.
      keyed: key.includes(column) || table === 'unmerged_rows' ? 1 : 0,
    })),
  );
  expect(described).toHaveLength(columns.length);
  expect(described).toEqual(expect.arrayContaining([...columns]));
});
