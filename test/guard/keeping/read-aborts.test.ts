import { describe, expect, it } from 'vitest';
import { abortView, intentChange, outcomeChange } from '../../../src/guard/keeping/abort-rows.ts';
import { openAborts, recentAborts } from '../../../src/guard/keeping/read-aborts.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/memory-store.ts';
import { epoch } from '../listed.ts';
import { keptAbort, rowOf } from './kept-aborts.ts';

const hour = 3_600_000;
const at = (serial: number) => keptAbort(serial, { at: epoch + serial });

async function storeWithThree(): Promise<Store> {
  const store = memoryStore();
  const ended = { outcome: 'withdrawn', at: epoch + 10, doubt: 'paused' } as const;
  const changes = [1, 2, 3].map((serial) => intentChange(at(serial)));
  const other = intentChange(keptAbort(4, { cluster: 'test' }));
  await store.commit([...changes, other, outcomeChange(at(2), ended)]);
  return store;
}

describe('aborts', () => {
  it('are open until their outcome is known, the latest first', async () => {
    expect(await openAborts(await storeWithThree(), 'prod')).toEqual({
      ok: true,
      value: [abortView({ intent: at(3) }), abortView({ intent: at(1) })],
    });
  });

  it.each([
    [epoch + 10 - hour, ['withdrawn']],
    [epoch + 10, ['withdrawn']],
    [epoch + 11, []],
  ])('that ended since %d are %j', async (since, outcomes) => {
    const found = await recentAborts(await storeWithThree(), 'prod', since);
    expect(found.ok && found.value.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(found.ok && found.value.every(({ endedAt }) => endedAt === epoch + 10)).toBe(true);
  });

  it('are left out where they cannot be read', async () => {
    const store = memoryStore();
    const put = { ...rowOf(intentChange(at(1))), evidence: '' };
    await store.commit([{ table: 'guard_intents', put }, intentChange(at(2))]);
    const found = await openAborts(store, 'prod');
    expect(found.ok && found.value.map(({ id }) => id)).toEqual([at(2).id]);
  });

  it('are never more than a thousand', async () => {
    const store = memoryStore();
    await store.commit(Array.from({ length: 1100 }, (_, serial) => intentChange(at(serial))));
    const found = await openAborts(store, 'prod');
    expect(found.ok && [found.value.length, found.value[0]?.at]).toEqual([1000, epoch + 1099]);
  });

  it('are not known where the store cannot be read', async () => {
    const store = memoryStore();
    await store.close();
    expect(await recentAborts(store, 'prod', 0)).toEqual({ ok: false, error: 'the store is closed' });
  });
});
