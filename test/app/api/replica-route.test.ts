import { expect, it } from 'vitest';
import { pageSchema } from '../../../src/api/fields.ts';
import { replicaSchema } from '../../../src/api/replicas.ts';
import { replicaRoute } from '../../../src/app/api/replica-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { soleOwnership } from '../../../src/kernel/ownership.ts';
import { sendRequest } from '../fakes.ts';

const replica = { version: '1.0.0', startedAt: 0, seenAt: 1000, clusters: 1 };
const view = {
  ...soleOwnership.view(),
  replicas: [
    { ...replica, id: 'r1', name: 'one', url: 'http://one:9916', configHash: 'h', isLive: true, isSelf: true },
    { ...replica, id: 'r2', name: 'two', url: 'http://two:9916', configHash: 'x', isLive: false, isSelf: false },
  ],
  owners: [
    { cluster: '', owner: 'r1', epoch: 1, since: 0 },
    { cluster: 'prod', owner: 'r1', epoch: 1, since: 0 },
  ],
};

it('GET /api/v1/replicas lists the replicas with their clusters', async () => {
  const handler = createHandler([replicaRoute({ view: () => view })], () => '');
  const { status, body } = await sendRequest(handler, '/api/v1/replicas');
  expect(status).toBe(200);
  const { items } = pageSchema(replicaSchema).parse(JSON.parse(body));
  expect(
    items.map(({ name, self, live, sameClusters, clusters }) => [name, self, live, sameClusters, clusters]),
  ).toEqual([
    ['one', true, true, true, ['prod']],
    ['two', false, false, false, []],
  ]);
});

it('GET /api/v1/replicas is empty without a shared database', async () => {
  const handler = createHandler([replicaRoute(soleOwnership)], () => '');
  expect(JSON.parse((await sendRequest(handler, '/api/v1/replicas')).body)).toMatchObject({ items: [], total: 0 });
});
