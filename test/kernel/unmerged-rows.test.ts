import { expect, it } from 'vitest';
import { findWithUnmerged, unmergedRowsTable } from '../../src/kernel/unmerged-rows.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';

const put = (origin: string, content: string) => ({ table: unmergedRowsTable, put: { origin, content } });

it('rows to merge come with the rows of their table, without those that are not valid, until they are deleted', async () => {
  const store = memoryStore();
  const row = { name: 'episode', value: 7 };
  await store.commit([
    { table: 'counters', put: { name: 'episode', value: 5 } },
    put('counters', JSON.stringify(row)),
    put('counters', '{'),
    put('counters', '[1]'),
    put('lanes', '{}'),
  ]);
  const found = await findWithUnmerged(store, 'counters');
  expect(found).toMatchObject({ ok: true, value: { rows: [{ name: 'episode', value: 5 }], unmerged: [row] } });
  // A folder that comes late again adds rows that are not merged yet.
  await store.commit([put('counters', '{"name":"other"}')]);
  await store.commit(found.ok ? found.value.deletions : []);
  expect(await findWithUnmerged(store, 'counters')).toMatchObject({ value: { unmerged: [{ name: 'other' }] } });
  expect(await findWithUnmerged(store, 'lanes')).toMatchObject({ value: { unmerged: [{}] } });
});

it('an error of the store is returned', async () => {
  const store = memoryStore();
  await store.close();
  expect((await findWithUnmerged(store, 'counters')).ok).toBe(false);
});
