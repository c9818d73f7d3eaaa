import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { openPostgresStore } from '../../../src/runtime/postgres/open-postgres.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';

function action(reason: string) {
  return {
    table: 'guard_actions',
    put: { uid: 'u', at: 1, what: 'paused', actor: 'ada', cluster: 'prod', subject: '', reason },
  };
}

function counter(name: string) {
  return { table: 'counters', put: { name, value: 1 } };
}

const retention = { transitions: 1e15, audit: 1e15, notifications: 1e15, size: 2 ** 31 };

/** Relays to a server. While `lose` is positive, the answer to a commit is lost, and its connection ends. */
async function lossyRelay(port: number) {
  const relay = { port: 0, lose: 0, lost: 0 };
  const listener = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let isLosing = false;
    client.on('data', (bytes) => {
      isLosing ||= relay.lose > 0 && bytes.includes('COMMIT');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isLosing) {
        relay.lose -= 1;
        relay.lost += 1;
        client.destroy();
      } else client.write(bytes);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void listener.close());
  relay.port = (listener.address() as AddressInfo).port;
  return relay;
}

describe.skipIf(!hasPostgres())('batches', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server.remove());

  it('are repeated if their answer is lost: rows of the audit are there once, and another row with their key is refused', async () => {
    const relay = await lossyRelay(server.port);
    const settings = server.settings(await server.createDatabase(), {
      hosts: [{ host: '127.0.0.1', port: relay.port }],
    });
    const opened = await openPostgresStore({ settings, retention, clock: systemClock, program: 'test' });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(() => opened.value.close());
    const store = opened.value;
    relay.lose = 1;
    expect(await store.commit([action('first'), counter('a')])).toEqual({ ok: true, value: undefined });
    expect(relay.lost).toBe(1);
    expect(await store.commit([action('second')])).toMatchObject({ ok: false });
    expect(await store.find({ table: 'guard_actions', columns: ['reason'] })).toEqual({
      ok: true,
      value: [{ reason: 'first' }],
    });
    expect(await store.count({ table: 'counters' })).toEqual({ ok: true, value: 1 });
  });

  it('that are committed together are stored, except the rejected one', async () => {
    const settings = server.settings(await server.createDatabase());
    const opened = await openPostgresStore({ settings, retention, clock: systemClock, program: 'test' });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(() => opened.value.close());
    const store = opened.value;
    // Those that are passed while the first one is written are one group.
    const commits = [[action('first')], [counter('a')], [counter('b'), action('second')], [counter('c')]];
    const outcomes = await Promise.all(commits.map((changes) => store.commit(changes)));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false, true]);
    expect(await store.find({ table: 'counters', columns: ['name'], order: ['name'] })).toEqual({
      ok: true,
      value: [{ name: 'a' }, { name: 'c' }],
    });
    expect(await store.find({ table: 'guard_actions', columns: ['reason'] })).toMatchObject({
      value: [{ reason: 'first' }],
    });
  });
});
