import { describe, expect, it } from 'vitest';
import {
  intentChange,
  loadOpenAborts,
  loadRecentAborts,
  outcomeChange,
  toAbortView,
} from '../../../src/guard/storage/abort-rows.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch } from '../observations.ts';
import { rowOf, storedAbort } from './stored-aborts.ts';

const hour = 3_600_000;
const at = (serial: number) => storedAbort(serial, { at: epoch + serial });

async function storeWithThree(): Promise<Store> {
  const store = memoryStore();
  const ended = { outcome: 'withdrawn', at: epoch + 10, skipReason: 'paused' } as const;
  const changes = [1, 2, 3].map((serial) => intentChange(at(serial)));
  const other = intentChange(storedAbort(4, { cluster: 'test' }));
  await store.commit([...changes, other, outcomeChange(at(2), ended)]);
  return store;
}

describe('stored aborts', () => {
  it('are open until they have an outcome, latest first', async () => {
    expect(await loadOpenAborts(await storeWithThree(), 'prod')).toEqual({
      ok: true,
      value: [toAbortView({ intent: at(3) }), toAbortView({ intent: at(1) })],
    });
  });

  it.each([
    [epoch + 10 - hour, ['withdrawn']],
    [epoch + 10, ['withdrawn']],
    [epoch + 11, []],
  ])('that ended since %d are %j', async (since, outcomes) => {
    const found = await loadRecentAborts(await storeWithThree(), 'prod', since);
    expect(found.ok && found.value.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(found.ok && found.value.every(({ endedAt }) => endedAt === epoch + 10)).toBe(true);
  });

  it('are skipped if their row is invalid', async () => {
    const store = memoryStore();
    const put = { ...rowOf(intentChange(at(1))), evidence: '' };
    await store.commit([{ table: 'guard_intents', put }, intentChange(at(2))]);
    const found = await loadOpenAborts(store, 'prod');
    expect(found.ok && found.value.map(({ id }) => id)).toEqual([at(2).id]);
  });

  it('are limited to 1000', async () => {
    const store = memoryStore();
    await store.commit(Array.from({ length: 1100 }, (_, serial) => intentChange(at(serial))));
    const found = await loadOpenAborts(store, 'prod');
    expect(found.ok && [found.value.length, found.value[0]?.at]).toEqual([1000, epoch + 1099]);
  });

  it('are an error if the store cannot be read', async () => {
    const store = memoryStore();
    await store.close();
    expect(await loadRecentAborts(store, 'prod', 0)).toEqual({ ok: false, error: 'the store is closed' });
  });
});
