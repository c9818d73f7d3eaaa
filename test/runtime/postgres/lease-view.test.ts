import { expect, it } from 'vitest';
import type { LeaseSnapshot } from '../../../src/runtime/postgres/lease-database.ts';
import { leasesNotOwnedBy, ownershipViewOf } from '../../../src/runtime/postgres/lease-view.ts';

const lease = { epoch: 3, since: 5, lostBy: undefined };
const replica = {
  name: 'host',
  url: 'http://host',
  version: '1',
  configHash: 'h',
  startedAt: 1,
  seenAt: 2,
  isLive: true,
};

const snapshot: LeaseSnapshot = {
  leases: [
    { ...lease, cluster: 'prod', owner: 'a', expiresIn: 8000 },
    { ...lease, cluster: 'test', owner: 'b', expiresIn: 4000, lostBy: 'c' },
    { ...lease, cluster: 'old', owner: 'b', expiresIn: -1 },
    { ...lease, cluster: 'free', owner: undefined, expiresIn: -1 },
  ],
  replicas: [
    { ...replica, id: 'a', settingsHash: 's', fingerprint: 'AB:CD' },
    { ...replica, id: 'b', settingsHash: 's', fingerprint: undefined },
  ],
  peerKey: 'secret',
  sharedRows: '',
  now: 10,
};

it('lease view › shows the owners with the leases that this replica took or lost since, without key and certificate', () => {
  const held = { epochOf: (cluster: string) => (cluster === 'free' ? 4 : undefined) };
  const view = ownershipViewOf({ self: 'a', snapshot, held, wanted: ['prod', 'new'] });
  expect(view.owners.map(({ cluster, owner }) => [cluster, owner])).toEqual([
    ['prod', undefined],
    ['new', undefined],
    ['test', 'b'],
    ['old', undefined],
    ['free', 'a'],
  ]);
  expect(view.replicas.map(({ id, clusters, isSelf }) => [id, clusters, isSelf])).toEqual([
    ['a', 1, true],
    ['b', 1, false],
  ]);
  expect(view.lastTakeover).toEqual({ at: 5, from: 'c' });
  expect(JSON.stringify(view)).not.toMatch(/AB:CD|secret/);
});

it('lease view › is empty before the first answer of the database', () => {
  const view = ownershipViewOf({
    self: 'a',
    snapshot: undefined,
    held: { epochOf: () => undefined },
    wanted: ['prod'],
  });
  expect(view).toEqual({ replicas: [], owners: [], lastTakeover: undefined });
});

it('lease view › lists the leases without another owner, and those of others with the age of the answer', () => {
  expect(leasesNotOwnedBy('a', [{ cluster: 'new', epoch: 1 }], snapshot.leases, 1000)).toEqual([
    { cluster: 'new', epoch: 1, lasts: true },
    { cluster: 'test', epoch: 3, lasts: true },
    { cluster: 'old', epoch: 3, lasts: false },
  ]);
  expect(leasesNotOwnedBy('a', [], snapshot.leases, 4000)[0]).toMatchObject({ cluster: 'test', lasts: false });
  expect(leasesNotOwnedBy('c', [{ cluster: 'prod', epoch: 9 }], snapshot.leases, 0)[0]).toMatchObject({ epoch: 9 });
});
