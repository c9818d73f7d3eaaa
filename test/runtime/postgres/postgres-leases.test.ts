import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { SqlRow } from '../../../src/runtime/postgres/connection.ts';
import { PostgresLeases } from '../../../src/runtime/postgres/postgres-leases.ts';
import { registrationOf } from '../../support/lease-model.ts';

function leasesOf(...answers: readonly Result<readonly SqlRow[], string>[]) {
  const left = [...answers];
  const values: (readonly string[])[] = [];
  let closed = 0;
  const leases = new PostgresLeases('a', {
    query: async (_, given) => {
      values.push(given);
      return left.shift() ?? ok([]);
    },
    close: async () => {
      closed += 1;
    },
  });
  return { leases, values, closed: () => closed };
}

const away = err('away');
const replica = {
  id: 'a',
  name: 'host',
  url: 'http://host',
  version: '1',
  config_hash: 'h s',
  started_at: '5',
  seen_at: '6',
  is_live: true,
  now: '7',
  shared_rows: 'x',
  fingerprint: 'AB:CD',
  peer_key: 'secret',
};

describe('leases in PostgreSQL', () => {
  it('are renewed with the registration and their epochs', async () => {
    const { leases, values } = leasesOf(ok([{ cluster: 'prod', epoch: '3' }]), ok([]), away);
    const held = [{ cluster: 'prod', epoch: 3 }];
    expect(await leases.renew(registrationOf('host', ['prod']), held)).toEqual(ok(held));
    const registered = ['a', 'host', 'http://host:9916', '1.0.0', 'same s', '[{"cluster":"prod","epoch":3}]'];
    expect(values[0]).toEqual([...registered, '']);
    const withTls = { ...registrationOf('host', ['prod']), fingerprint: async () => 'AB:CD' };
    await leases.renew(withTls, held);
    expect(values[1]).toEqual([...registered, 'AB:CD']);
    expect(await leases.renew(registrationOf('host', ['prod']), held)).toEqual(away);
  });

  it('are read with the replicas and the time of the database', async () => {
    const row = { cluster: 'prod', owner: null, epoch: '3', since: '4', expires_in: '-1', lost_by: 'other' };
    const { leases } = leasesOf(ok([row]), ok([replica]));
    expect(await leases.read()).toEqual(
      ok({
        leases: [{ cluster: 'prod', owner: undefined, epoch: 3, since: 4, expiresIn: -1, lostBy: 'other' }],
        replicas: [
          {
            id: 'a',
            name: 'host',
            url: 'http://host',
            version: '1',
            configHash: 'h',
            settingsHash: 's',
            startedAt: 5,
            seenAt: 6,
            isLive: true,
            fingerprint: 'AB:CD',
          },
        ],
        peerKey: 'secret',
        sharedRows: 'x',
        now: 7,
      }),
    );
    expect(await leasesOf(away).leases.read()).toEqual(away);
    expect(await leasesOf(ok([]), away).leases.read()).toEqual(away);
    expect(await leasesOf().leases.read()).toEqual(err('this replica is not registered yet'));
  });

  it('have a random key that the first replica creates', async () => {
    const { leases, values } = leasesOf(ok([]), ok([{ ...replica, peer_key: null }]), ok([]));
    expect(await leases.read()).toMatchObject({ ok: true, value: { peerKey: undefined } });
    expect(values[2]?.[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are taken, released, and dropped when the replica leaves', async () => {
    const { leases, values, closed } = leasesOf(
      ok([{ cluster: 'prod', epoch: '1', taken_over: true }]),
      ok([]),
      ok([]),
    );
    expect(await leases.take(['prod'])).toEqual(ok([{ cluster: 'prod', epoch: 1, isTakenOver: true }]));
    expect(await leases.release([{ cluster: 'prod', epoch: 1 }])).toEqual(ok(undefined));
    expect(await leases.leave()).toEqual(ok(undefined));
    await leases.close();
    expect([values.length, closed()]).toEqual([3, 1]);
    const failing = leasesOf(away, away, away).leases;
    expect([await failing.take([]), await failing.release([]), await failing.leave()]).toEqual([away, away, away]);
  });
});
