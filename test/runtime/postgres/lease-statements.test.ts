import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { PostgresConnection } from '../../../src/runtime/postgres/connection.ts';
import {
  fenceStatement,
  leaseTables,
  leaveStatement,
  peerTables,
  readLeasesStatement,
  readReplicasStatement,
  releaseStatement,
  renewStatement,
  takeStatement,
} from '../../../src/runtime/postgres/lease-statements.ts';
import { eventually } from '../../support/child.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';

const statements = [
  renewStatement,
  takeStatement,
  releaseStatement,
  leaveStatement,
  readLeasesStatement,
  readReplicasStatement,
  fenceStatement,
];

it('statements about leases use the clock of the database only, as of the moment and not of the transaction', () => {
  for (const statement of statements) expect(statement).not.toMatch(/\bnow\(\)|current_timestamp/i);
  expect(leaseTables).toHaveLength(2);
});

it('lease statements › lock leases in the same order, to avoid a deadlock', () => {
  for (const statement of [renewStatement, takeStatement, fenceStatement]) {
    expect(statement).toMatch(/ORDER BY lease\.cluster FOR (?:UPDATE|SHARE)/);
  }
});

const lease = (epoch: number) => JSON.stringify([{ cluster: 'prod', epoch }]);

describe.skipIf(!hasPostgres())('leases in a database', () => {
  let server: PostgresServer;
  let connections: readonly PostgresConnection[] = [];

  /** Runs a statement about leases as one transaction, on a connection of the replica. */
  const runAs = async (replica: number, sql: string, values: readonly string[]) => {
    const { rows = [] } = (await connections[replica]?.transaction((run) => run(sql, values))) ?? {};
    const lasting = rows.filter(({ lasts }) => lasts !== false);
    return lasting.map(({ cluster, epoch }) => `${String(cluster)} ${Number(epoch)}`);
  };
  const take = (replica: number) => runAs(replica, takeStatement, [`r${replica}`, '["prod"]']);
  const renew = (replica: number, epoch: number) =>
    runAs(replica, renewStatement, [`r${replica}`, 'name', 'url', '1', 'hash', lease(epoch), '']);
  const fence = (replica: number, epoch: number) => runAs(replica, fenceStatement, [`r${replica}`, lease(epoch)]);
  const setEnd = (after: string) =>
    server.sql(`UPDATE graphwarden.cluster_leases SET expires_at = clock_timestamp() + interval '${after}'`);
  const hasEnded = async () =>
    (await server.sql('SELECT FROM graphwarden.cluster_leases WHERE expires_at <= clock_timestamp()')).length === 1;

  beforeAll(async () => {
    server = await startPostgres();
    connections = [0, 1].map(() => new PostgresConnection(server.settings(), systemClock));
    await server.sql(
      `CREATE SCHEMA graphwarden; SET search_path = graphwarden; ${[...leaseTables, ...peerTables].join('; ')}`,
    );
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await server.remove();
  });

  it('have one owner until they end, and another epoch for each owner', async () => {
    expect(await take(0)).toEqual(['prod 1']);
    expect(await take(1)).toEqual([]);
    expect(await renew(0, 1)).toEqual(['prod 1']);
    expect(await fence(0, 1)).toEqual(['prod 1']);
    expect(await fence(1, 1)).toEqual([]);
    await setEnd('-1 second');
    expect(await fence(0, 1)).toEqual([]);
    expect(await renew(0, 1)).toEqual(['prod 1']);
    await setEnd('-1 second');
    expect(await take(1)).toEqual(['prod 2']);
    expect([await renew(0, 1), await fence(0, 1)]).toEqual([[], []]);
  });

  it('of an earlier epoch are not valid after their replica takes them again', async () => {
    await setEnd('-1 second');
    expect(await take(0)).toEqual(['prod 3']);
    expect([await renew(0, 1), await fence(0, 1)]).toEqual([[], []]);
    expect([await renew(0, 3), await fence(0, 3)]).toEqual([['prod 3'], ['prod 3']]);
  });

  it('cannot be taken after they expired while a transaction that checked them is open', async () => {
    await setEnd('1 second');
    await connections[0]?.transaction(async (run) => {
      await run(fenceStatement, ['r0', lease(3)]);
      await eventually('the lease ends', async () => hasEnded());
      expect(await take(1)).toEqual([]);
    });
    expect(await take(1)).toEqual(['prod 4']);
  });
});
