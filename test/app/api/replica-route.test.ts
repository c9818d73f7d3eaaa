import { expect, it } from 'vitest';
import { replicaPageSchema } from '../../../src/api/replicas.ts';
import { replicaRoute } from '../../../src/app/api/replica-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { type OwnershipView, soleOwnership } from '../../../src/kernel/ownership.ts';
import { FakeClock } from '../../support/clock.ts';
import { sendRequest } from '../fakes.ts';

const replica = { version: '1.0.0', startedAt: 0, seenAt: 1000, clusters: 1, isLive: true, isSelf: false };
const view: OwnershipView = {
  ...soleOwnership.view(),
  replicas: [
    { ...replica, id: 'r1', name: 'one', url: 'http://one:9916', configHash: 'h', settingsHash: 's', isSelf: true },
    { ...replica, id: 'r2', name: 'two', url: 'http://two:9916', configHash: 'x', settingsHash: 's', isLive: false },
    { ...replica, id: 'r3', name: 'three', url: 'http://three:9916', configHash: 'h', settingsHash: 't' },
  ],
  owners: [
    { cluster: '', owner: undefined, epoch: 1, since: 0 },
    { cluster: 'prod', owner: 'r1', epoch: 1, since: 0 },
    { cluster: 'test', owner: undefined, epoch: 1, since: 0 },
  ],
};

async function list(ownership: Parameters<typeof replicaRoute>[0], clock = new FakeClock(), query = '') {
  const handler = createHandler([replicaRoute(ownership, clock)], () => '');
  const { status, body } = await sendRequest(handler, `/api/v1/replicas${query}`);
  return { status, body: JSON.parse(body) };
}

it('GET /api/v1/replicas lists the replicas with their clusters, and whether they are configured like this one', async () => {
  const { status, body } = await list({ isShared: true, view: () => view });
  expect(status).toBe(200);
  const { items, withoutOwner } = replicaPageSchema.parse(body);
  const rows = items.map(({ name, self, live, sameClusters, sameSettings, clusters }) => {
    return [name, self, live, sameClusters, sameSettings, clusters];
  });
  expect(rows).toEqual([
    ['one', true, true, true, true, ['prod']],
    ['two', false, false, false, true, []],
    ['three', false, true, true, false, []],
  ]);
  expect(withoutOwner).toEqual(['test']);
});

it('GET /api/v1/replicas reports that the database is away after every lease has expired', async () => {
  const clock = new FakeClock();
  const ownership = { isShared: true, view: () => ({ ...view, answeredAt: start.mono }) };
  const start = clock.now();
  const databaseAnsweredAt = new Date(start.wall).toISOString();
  await clock.advance(10_000);
  expect((await list(ownership, clock)).body).toMatchObject({ databaseAway: false, databaseAnsweredAt });
  await clock.advance(1);
  expect((await list(ownership, clock)).body).toMatchObject({ databaseAway: true, databaseAnsweredAt });
  expect((await list({ isShared: true, view: () => view })).body).toMatchObject({
    databaseAway: true,
    databaseAnsweredAt: null,
  });
});

it('GET /api/v1/replicas is empty without a shared database', async () => {
  const empty = { items: [], total: 0, databaseAway: false, databaseAnsweredAt: null, withoutOwner: [] };
  expect((await list(soleOwnership)).body).toMatchObject(empty);
});

it('GET /api/v1/replicas pages, and rejects unknown parameters', async () => {
  expect((await list({ isShared: true, view: () => view }, undefined, '?limit=1&offset=1')).body).toMatchObject({
    items: [{ name: 'two' }],
    total: 3,
  });
  expect((await list(soleOwnership, undefined, '?limit=0')).status).toBe(400);
  expect((await list(soleOwnership, undefined, '?name=one')).status).toBe(400);
});
