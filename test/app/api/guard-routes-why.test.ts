import { describe, expect, it } from 'vitest';
import { guardRoutes } from '../../../src/app/api/guard-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { intentChange, outcomeChange } from '../../../src/guard/storage/abort-rows.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { storedAbort } from '../../guard/storage/stored-aborts.ts';
import { recordingLogger } from '../../support/logger.ts';
import { FakeGuardControl } from '../fake-guard-control.ts';
import { clusterOf, configOf, sendRequest } from '../fakes.ts';

const id = '7.RESTPP_1_1.1790000000000.N';

function setUp() {
  const store = memoryStore();
  const config = configOf([clusterOf('prod', ['m1'])]);
  const control = new FakeGuardControl();
  const routes = guardRoutes({ log: recordingLogger(), config: () => config, control: () => control, history: store });
  const handler = createHandler(routes, () => '');
  const call = async (target: string) => {
    const { status, body } = await sendRequest(handler, target);
    return { status, answer: JSON.parse(body) };
  };
  return { store, call };
}

describe('GET …/queries/{id}/why', () => {
  const path = `/api/v1/clusters/prod/nodes/m1/queries/${id}/why`;

  it('returns the explanation, and the aborts of the query from the audit', async () => {
    const { call, store } = setUp();
    const stored = storedAbort(1, { cluster: 'prod', node: 'm1' });
    await store.commit([
      intentChange(stored),
      outcomeChange(stored, { outcome: 'still_running', at: stored.at + 35_000 }),
    ]);
    const { status, answer } = await call(path.replace(id, stored.id));
    expect(status).toBe(200);
    expect(answer).toMatchObject({ cluster: 'prod', node: 'm1', id: stored.id, listing: 'listed' });
    expect(answer.aborts).toMatchObject([{ id: stored.id, outcome: 'still_running' }]);
    expect((await call(path)).answer.aborts).toEqual([]);
  });

  it.each([
    ['no request ID', path.replace(id, 'all'), 400],
    ['an unknown cluster', path.replace('prod', 'dev'), 404],
    ['an unknown node', path.replace('m1', 'm9'), 404],
  ])('rejects %s', async (_, target, status) => {
    expect((await setUp().call(target)).status).toBe(status);
  });

  it('fails if the audit cannot be read', async () => {
    const { call, store } = setUp();
    await store.close();
    expect((await call(path)).status).toBe(503);
  });
});
