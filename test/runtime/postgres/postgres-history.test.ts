import { expect, it, onTestFinished } from 'vitest';
import type { Row } from '../../../src/kernel/store.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { openPostgresStore } from '../../../src/runtime/postgres/open-postgres.ts';
import { hasPostgres, startPostgres } from '../../support/postgres.ts';

const retention = { transitions: 1e15, audit: 1e15, notifications: 1e15, size: 2 ** 31 };

it.skipIf(!hasPostgres())('a history read is limited in rows and in time', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const opened = await openPostgresStore({
    settings: server.settings(),
    retention,
    clock: systemClock,
    program: 'test',
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { history, close } = { history: opened.value.history, close: () => opened.value.close() };
  onTestFinished(close);
  await server.sql(
    `SET search_path = graphwarden; INSERT INTO counters SELECT 'c' || n, n FROM generate_series(1, 10500) AS n`,
  );
  const found = await history.find({ table: 'counters', order: ['value'] });
  expect(found.ok && [found.value.length, found.value.at(-1)?.value]).toEqual([10_000, 10_000]);
  expect(await history.count({ table: 'counters' })).toEqual({ ok: true, value: 10_500 });
  const counted = { name: 'rows', compute: (rows: Iterable<Row>) => [{ rows: [...rows].length }] };
  expect(await history.summarize(counted, { table: 'counters' }, undefined)).toEqual({
    ok: true,
    value: [{ rows: history.maxSummaryRows }],
  });
  await server.sql(
    'ALTER TABLE graphwarden.silences RENAME TO kept; CREATE VIEW graphwarden.silences AS SELECT pg_sleep(60)::text AS id',
  );
  expect(await history.find({ table: 'silences' })).toEqual({ ok: false, error: 'PostgreSQL did not answer in time' });
  expect(await history.count({ table: 'counters' })).toEqual({ ok: true, value: 10_500 });
});
