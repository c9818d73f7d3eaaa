import { expect, it } from 'vitest';
import { incidentUpsert, lastNumberUpsert, restoreAlerting, silenceUpsert } from '../../src/alert/alerting-store.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { firingIncident } from './incident-fixture.ts';

const now = { wall: 5, mono: 6 };
const silence = { id: 's', matchers: [], startsAt: 1, endsAt: 2, author: 'me', reason: 'because' };

it('alerting store › restores stored rows and skips invalid rows', async () => {
  const store = memoryStore();
  const incident = firingIncident('quick', { node: 'm1' }, { number: 70 });
  const broken = incidentUpsert(firingIncident('slow', {}));
  await store.commit([
    incidentUpsert(incident),
    silenceUpsert(silence),
    'put' in broken ? { ...broken, put: { ...broken.put, labels: 'no JSON' } } : expect.fail('nothing is put'),
  ]);
  const state = await restoreAlerting(store, now);
  expect([...state.incidents.keys()]).toEqual([incident.identityKey]);
  expect([...state.silences.keys()]).toEqual(['s']);
  expect(state.lastNumber).toBe(70);
});

it('alerting store › restores the highest number, also of a resolved incident', async () => {
  const store = memoryStore();
  await store.commit([lastNumberUpsert(90), incidentUpsert(firingIncident('quick', { node: 'm1' }, { number: 70 }))]);
  expect((await restoreAlerting(store, now)).lastNumber).toBe(90);
  await store.commit([{ table: 'counters', put: { name: 'episode', value: -1 } }]);
  expect((await restoreAlerting(store, now)).lastNumber).toBe(70);
});

it('alerting store › restores an empty state if the store cannot be read', async () => {
  const store = memoryStore();
  await store.close();
  const state = await restoreAlerting(store, now);
  expect([state.incidents.size, state.silences.size, state.lastNumber]).toEqual([0, 0, 0]);
});
