import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { notOwnedError } from '../../../src/kernel/ownership.ts';
import type { SharedState } from '../../../src/model/replica-database.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { systemFiles } from '../../../src/runtime/files.ts';
import { openSharedState } from '../../../src/runtime/postgres/open-replica-state.ts';
import { eventually } from '../../support/child.ts';
import { registrationOf } from '../../support/lease-model.ts';
import { recordingLogger } from '../../support/logger.ts';
import { hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts';
import { hasPostgres, startPostgres, superuser } from '../../support/postgres.ts';

const clusters = ['c1', 'c2', 'c3', 'c4'];
const seen = (cluster: string) => [{ table: 'tracker_clusters', put: { cluster, observed_until: 1 } }];
const owned = ({ ownership }: SharedState) => clusters.filter((cluster) => ownership.owns(cluster));

/** Opens the state of a replica with its leases, through the port of a pooler. */
async function startReplica(name: string, port: number, database: string): Promise<SharedState> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-pooled-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const opened = await openSharedState({
    settings: { hosts: [{ host: '127.0.0.1', port }], user: superuser, database },
    folder,
    retention: { transitions: 1e15, audit: 1e15, notifications: 1e15, size: 2 ** 31 },
    clock: systemClock,
    log: recordingLogger(),
    files: systemFiles,
    program: 'test',
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { ownership, store, unlock } = opened.value;
  onTestFinished(async () => {
    await ownership.stop();
    await store.close();
    await unlock();
  });
  ownership.subscribe({
    onOwnershipChange: () => {
      void ownership.release(clusters.filter((cluster) => !ownership.owns(cluster)));
    },
    onSharedRowsChange: () => undefined,
  });
  ownership.start(registrationOf(name, clusters));
  return opened.value;
}

it.skipIf(!hasPostgres() || !hasPgbouncer())(
  'replicas behind PgBouncer in transaction mode keep one owner, their fence, and continue after a restart of PostgreSQL',
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const database = await server.createDatabase();
    // Six connections of two replicas share two sessions of the server.
    const pooler = await startPgbouncer(server, 2);
    onTestFinished(() => pooler.stop());
    const one = await startReplica('one', pooler.port, database);
    const two = await startReplica('two', pooler.port, database);
    const areShared = () => owned(one).length === 2 && owned(two).length === 2;
    await eventually('each replica owns two clusters', async () => areShared());
    expect([...owned(one), ...owned(two)].toSorted()).toEqual(clusters);

    const [first = '', second = ''] = owned(one);
    expect(await two.store.commit(seen(first))).toEqual({ ok: false, error: notOwnedError(first) });
    expect(await one.store.commit(seen(first))).toEqual({ ok: true, value: undefined });
    const takeOver = `UPDATE graphwarden.cluster_leases
      SET owner = 'other', epoch = epoch + 1, expires_at = clock_timestamp() + interval '2 seconds' WHERE cluster = '${first}'`;
    await server.sql(takeOver, database);
    expect(await one.store.commit(seen(first))).toEqual({ ok: false, error: notOwnedError(first) });

    await server.stop('immediate');
    await server.start();
    await eventually('the owner commits again', async () => (await one.store.commit(seen(second))).ok);
    await one.ownership.stop();
    await eventually('the other replica owns all clusters', async () => owned(two).length === clusters.length);
    expect(await one.store.commit(seen(second))).toEqual({ ok: false, error: notOwnedError(second) });
    expect(await two.store.commit(seen(second))).toEqual({ ok: true, value: undefined });
    const sessions = "SELECT pid FROM pg_stat_activity WHERE application_name = 'graphwarden'";
    expect((await server.sql(sessions, database)).length).toBeLessThanOrEqual(2);
  },
  120_000,
);
