import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../src/kernel/store.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { PostgresConnection } from '../../../src/runtime/postgres/connection.ts';
import { PostgresHistory } from '../../../src/runtime/postgres/postgres-history.ts';
import { PostgresStore } from '../../../src/runtime/postgres/postgres-store.ts';
import { Trimmer } from '../../../src/runtime/postgres/trimmer.ts';
import { hasPostgres, type PostgresServer, promote, startPostgres, startStandby } from '../../support/postgres.ts';
import { attempt, opened } from './opened-stores.ts';

const action = (uid: string) => ({
  table: 'guard_actions',
  put: { uid, at: 1, what: 'paused', actor: 'ada', cluster: 'prod', subject: '', reason: '' },
});
const counter = (name: string, value: number) => ({ table: 'counters', put: { name, value } });

it('an idle store reports the write problem of the other connections', async () => {
  const settings = { hosts: [], user: 'u', database: 'd', credentials: async () => ({}) };
  const connection = new PostgresConnection(settings, systemClock);
  const history = new PostgresHistory(connection);
  const trimmer = new Trimmer(connection, { transitions: 1, audit: 1, notifications: 1, size: 1 }, systemClock);
  let problem: string | undefined;
  const store = new PostgresStore({ connection, history, trimmer, clock: systemClock, writeProblem: () => problem });
  expect([store.durable, store.problem]).toEqual([true, undefined]);
  problem = 'PostgreSQL is shutting down or starting';
  expect([store.durable, store.problem]).toEqual([false, problem]);
});

describe.skipIf(!hasPostgres())('a database whose server changes', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server.remove());

  /** Opens a store on a database of its own. */
  async function openStore(): Promise<{ readonly store: Store; readonly database: string }> {
    const database = await server.createDatabase();
    return { store: await opened(server.settings(database)), database };
  }

  it('is not opened on a standby alone; after a failover, commits go to the new primary', async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.remove());
    const standby = await startStandby(primary);
    onTestFinished(() => standby.remove());
    expect(await attempt(standby.settings())).toBe(
      `127.0.0.1:${standby.port} accepts no writes: name the primary, or all hosts of the installation, in state_url`,
    );
    const hosts = [standby, primary].map(({ port }) => ({ host: '127.0.0.1', port }));
    const store = await opened(primary.settings('postgres', { hosts }));
    expect(await store.commit([counter('a', 1)])).toMatchObject({ ok: true });
    await expect.poll(() => standby.sql('SELECT value FROM graphwarden.counters').catch(() => [])).toHaveLength(1);
    await primary.stop('immediate');
    await promote(standby);
    expect(await store.commit([counter('b', 2)])).toMatchObject({ ok: true });
    expect(await store.count({ table: 'counters' })).toEqual({ ok: true, value: 2 });
  });

  it('stops answering: callers get an error, and all batches are written when it answers again', async () => {
    const { store, database } = await openStore();
    await store.commit([counter('a', 1)]);
    const backends = `SELECT pid FROM pg_stat_activity WHERE application_name = 'graphwarden' AND datname = '${database}'`;
    const backend = (await server.sql(backends))[0]?.pid;
    execFileSync('kill', ['-STOP', String(backend)]);
    const late = await store.commit([counter('b', 2)]);
    expect([late.ok, store.durable]).toEqual([false, false]);
    execFileSync('kill', ['-CONT', String(backend)]);
    await expect.poll(() => store.durable, { timeout: 60_000 }).toBe(true);
    expect(await store.find({ table: 'counters', columns: ['name'], order: ['name'] })).toEqual({
      ok: true,
      value: [{ name: 'a' }, { name: 'b' }],
    });
  });

  it('becomes read-only: the store reports it, and writes when the database accepts writes again', async () => {
    const { store } = await openStore();
    await store.commit([counter('a', 1)]);
    const shown = () => server.sql('SHOW default_transaction_read_only');
    await server.sql('ALTER SYSTEM SET default_transaction_read_only = on');
    await server.sql('SELECT pg_reload_conf()');
    await expect.poll(shown).toEqual([{ default_transaction_read_only: 'on' }]);
    const late = store.commit([counter('b', 2)]);
    await expect.poll(() => store.problem, { timeout: 20_000 }).toContain('accepts no writes');
    expect(store.durable).toBe(false);
    await server.sql('ALTER SYSTEM RESET default_transaction_read_only');
    await server.sql('SELECT pg_reload_conf()');
    await late;
    await expect.poll(() => store.count({ table: 'counters' }), { timeout: 20_000 }).toEqual({ ok: true, value: 2 });
    expect(store.durable).toBe(true);
  });

  it('is written to continuously: queries are still answered', async () => {
    const { store } = await openStore();
    const reading = new AbortController();
    const write = async (name: string, priority: 'normal' | 'urgent'): Promise<void> => {
      for (let value = 1; !reading.signal.aborted; value += 1) await store.commit([counter(name, value)], priority);
    };
    const writes = [write('a', 'normal'), write('b', 'normal'), write('c', 'urgent')];
    const answers = await Promise.all([store.count({ table: 'silences' }), store.count({ table: 'counters' })]);
    reading.abort();
    await Promise.all(writes);
    expect(answers).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 3 },
    ]);
  });

  it('crashes: batches that were committed during the outage are written once after its restart', async () => {
    const { store } = await openStore();
    expect(await store.commit([action('before')])).toMatchObject({ ok: true });
    await server.stop('immediate');
    const meanwhile = store.commit([action('meanwhile')]);
    await server.start();
    await meanwhile;
    await expect
      .poll(() => store.count({ table: 'guard_actions' }), { timeout: 60_000 })
      .toEqual({ ok: true, value: 2 });
  });
});
