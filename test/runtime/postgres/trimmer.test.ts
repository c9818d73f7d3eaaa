import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { PostgresConnection } from '../../../src/runtime/postgres/connection.ts';
import { openPostgresStore } from '../../../src/runtime/postgres/open-postgres.ts';
import { Trimmer } from '../../../src/runtime/postgres/trimmer.ts';
import { stored } from '../../../src/runtime/store/tables.ts';
import { hasPostgres, startPostgres } from '../../support/postgres.ts';

const day = 86_400_000;
const retention = { transitions: day, audit: day, notifications: day, size: 2 ** 31 };

describe.skipIf(!hasPostgres())('retention in PostgreSQL', () => {
  it('deletes old rows by batches, and keeps new ones and an intent whose query may still run', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const settings = server.settings();
    const opened = await openPostgresStore({ settings, retention, clock: systemClock, program: 'test' });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(() => opened.value.close());
    await server.sql(`SET search_path = graphwarden;
      INSERT INTO notifications (id, at, receiver, key, ${stored.incident}, action, result)
        SELECT 'old' || at, at, 'r', 'k', 1, 'trigger', 'sent' FROM generate_series(1, 4500) AS at;
      INSERT INTO notifications (id, at, receiver, key, ${stored.incident}, action, result)
        VALUES ('new', floor(extract(epoch FROM now()) * 1000), 'r', 'k', 1, 'trigger', 'sent');
      INSERT INTO guard_intents (cluster, key, node, id, start_time, graph, query, policy, policy_hash, mode, at, evidence, notify)
        SELECT 'c', key, 'n', 'i', '', 'g', 'q', 'p', 'h', 'enforce', 1, '{}', '{}' FROM unnest(ARRAY['open', 'over']) AS key;
      INSERT INTO guard_outcomes (cluster, key, at, outcome) VALUES ('c', 'over', 2, 'confirmed')`);
    const connection = new PostgresConnection(settings, systemClock);
    onTestFinished(() => connection.close());
    const trimmer = new Trimmer(connection, retention, systemClock);
    const left: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await trimmer.trimWhenDue();
      const [row] = await server.sql('SELECT count(*)::int AS rows FROM graphwarden.notifications');
      left.push(Number(row?.rows));
    }
    expect(left).toEqual([2501, 501, 1, 1]);
    expect(await server.sql('SELECT key FROM graphwarden.guard_intents')).toEqual([{ key: 'open' }]);
    expect(await server.sql('SELECT key FROM graphwarden.guard_outcomes')).toEqual([]);
  });
});
