import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyBreakerKey } from '../../../src/guard/decision/circuit-breakers.ts';
import { intentChange, outcomeChange, type StoredOutcome } from '../../../src/guard/storage/abort-rows.ts';
import {
  clockOffsetChange,
  type LoadedGuardState,
  loadGuardState,
  loadPauses,
  pauseChange,
  resumeChange,
  stateChanges,
} from '../../../src/guard/storage/guard-state-rows.ts';
import { err } from '../../../src/kernel/result.ts';
import type { Store, StoreChange } from '../../../src/kernel/store.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { abortOutcomes, queryEndedOutcomes } from '../../../src/model/guard.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch } from '../observations.ts';
import { rowOf, storedAbort } from './stored-aborts.ts';

async function storeWith(...changes: readonly StoreChange[]): Promise<Store> {
  const store = memoryStore();
  expect(await store.commit(changes)).toEqual({ ok: true, value: undefined });
  return store;
}

async function kept(store: Store, cluster = 'prod'): Promise<LoadedGuardState> {
  const read = await loadGuardState(store, cluster);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

function ended(serial: number, outcome: AbortOutcome): readonly StoreChange[] {
  const known: StoredOutcome = { outcome, at: epoch + 9000 };
  return [intentChange(storedAbort(serial)), outcomeChange(storedAbort(serial), known)];
}

const byPolicy = policyBreakerKey('runaway');

describe('stored guard state of a cluster', () => {
  it('is empty at first', async () => {
    expect(await kept(memoryStore())).toEqual({
      intents: [],
      breakers: [],
      breakerViews: [],
      breakerResets: {},
      abortsWithoutRelief: {},
      offsets: {},
      isPaused: false,
      problems: [],
    });
  });

  it('has every intent with its outcome', async () => {
    const story = fc.array(fc.option(fc.constantFrom(...abortOutcomes), { nil: undefined }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(story, async (words) => {
        const changes = words.flatMap((word, serial) =>
          word === undefined ? [intentChange(storedAbort(serial))] : ended(serial, word),
        );
        const { intents, problems } = await kept(await storeWith(...changes));
        const found = new Map(intents.map(({ id, outcome }) => [id, outcome]));
        expect(found).toEqual(new Map(words.map((word, serial) => [storedAbort(serial).id, word])));
        expect([intents.length, problems]).toEqual([words.length, []]);
      }),
      { numRuns: 30 },
    );
  });

  it('has breakers, pauses and counts', async () => {
    const store = await storeWith(
      ...stateChanges('prod', { kind: 'breaker', breaker: byPolicy, isOpen: true }, epoch),
      ...stateChanges('prod', { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 2 }, epoch),
      clockOffsetChange({ cluster: 'prod', node: 'n1' }, { offset: 5, anchor: 4 }, epoch),
      clockOffsetChange({ cluster: 'prod', node: '__proto__' }, { offset: 7 }, epoch),
    );
    const { breakers, breakerViews, abortsWithoutRelief, offsets } = await kept(store);
    expect([breakers, abortsWithoutRelief]).toEqual([[byPolicy], { runaway: 2 }]);
    expect(breakerViews).toMatchObject([{ policy: 'runaway', since: epoch }]);
    expect(Object.entries(offsets)).toEqual([
      ['__proto__', { offset: 7 }],
      ['n1', { offset: 5, anchor: 4 }],
    ]);
    await store.commit(stateChanges('prod', { kind: 'breaker', breaker: byPolicy, isOpen: false }, epoch));
    expect(await kept(store)).toMatchObject({ breakers: [], abortsWithoutRelief: {} });
  });

  it('contains rows of its cluster only', async () => {
    const store = await storeWith(
      intentChange(storedAbort(1, { cluster: 'test' })),
      ...stateChanges('test', { kind: 'breaker', breaker: byPolicy, isOpen: true }, epoch),
    );
    expect(await kept(store)).toMatchObject({ intents: [], breakers: [] });
    expect((await kept(store, 'test')).intents).toHaveLength(1);
  });

  it('has all exclusions of any age, and the latest other rows', async () => {
    const gone = Array.from({ length: 10_050 }, (_, serial) => storedAbort(serial, { at: epoch + serial }));
    const changes = gone.flatMap((intent, index) => [
      intentChange(intent),
      outcomeChange(intent, { outcome: queryEndedOutcomes[index % 3] ?? 'confirmed', at: epoch }),
    ]);
    const store = await storeWith(intentChange(storedAbort(99_999, { at: 1 })), ...changes);
    const { intents } = await kept(store);
    expect(intents).toHaveLength(10_001);
    expect(intents[0]).toMatchObject({ id: storedAbort(99_999).id, outcome: undefined });
    expect(Math.min(...intents.slice(1).map((one) => one.at))).toBe(epoch + 50);
  });
});

describe('invalid rows', () => {
  it('exclude their entry, and are reported', async () => {
    const bad = { ...rowOf(intentChange(storedAbort(1))), evidence: '{', graph: '../x' };
    const store = await storeWith({ table: 'guard_intents', put: bad }, intentChange(storedAbort(2)));
    const { intents, problems } = await kept(store);
    expect(intents.map(({ id }) => id)).toEqual([storedAbort(1).id, storedAbort(2).id]);
    const { id } = storedAbort(1);
    expect(problems).toEqual([
      `the intent on '${id}' of node 'n1' cannot be read; the query stays excluded from aborts`,
    ]);
  });

  it('are reported if they do not identify an entry', async () => {
    const bad = { ...rowOf(intentChange(storedAbort(1))), key: '', node: '', id: '' };
    const { intents, problems } = await kept(await storeWith({ table: 'guard_intents', put: bad }));
    expect([intents, problems]).toEqual([
      [],
      ['an intent cannot be read; the query that it excludes from aborts is unknown'],
    ]);
  });

  it('are reported in the state table', async () => {
    const put = { cluster: 'prod', kind: 'relief', name: 'runaway', value: '{', at: 0 };
    const { abortsWithoutRelief, problems } = await kept(await storeWith({ table: 'guard_standing', put }));
    expect([abortsWithoutRelief, problems]).toEqual([{}, ["the stored relief of 'runaway' cannot be read"]]);
  });
});

describe('pause reasons', () => {
  it('are stored separately', async () => {
    const pause = { cluster: '', reason: 'operator', by: 'alice', at: epoch };
    const other = { cluster: 'prod', reason: 'unexpected_id', by: '', at: epoch - 5 };
    const store = await storeWith(pauseChange(pause), pauseChange(other));
    expect(await loadPauses(store)).toEqual({ ok: true, value: [other, pause] });
    expect((await kept(store)).isPaused).toBe(true);
    await store.commit([resumeChange()]);
    expect((await kept(store)).isPaused).toBe(false);
  });

  it('of one cluster pause its guard only', async () => {
    const pause = { reason: 'unexpected_id', by: '', at: epoch };
    expect((await kept(await storeWith(pauseChange({ ...pause, cluster: 'prod' })))).isPaused).toBe(true);
    expect((await kept(await storeWith(pauseChange({ ...pause, cluster: 'test' })))).isPaused).toBe(false);
    expect((await kept(await storeWith(pauseChange({ ...pause, cluster: '' })))).isPaused).toBe(true);
  });

  it('pause the guard even if their row is invalid', async () => {
    const put = { cluster: '', kind: 'pause', name: '', value: '', at: 0 };
    expect((await kept(await storeWith({ table: 'guard_standing', put }))).isPaused).toBe(true);
  });
});

it.each([1, 2, 3, 4])('guard state is an error if the store fails response %i of four', async (lost) => {
  const store = memoryStore();
  let reads = 0;
  const find: Store['find'] = async (query) => {
    reads += 1;
    return reads === lost ? err('disk failure') : store.find(query);
  };
  expect(await loadGuardState({ ...store, find }, 'prod')).toEqual(err('disk failure'));
});

it('guard state is an error if the store cannot be read', async () => {
  const store = memoryStore();
  await store.close();
  expect(await loadGuardState(store, 'prod')).toEqual({ ok: false, error: 'the store is closed' });
  expect(await loadPauses(store)).toEqual({ ok: false, error: 'the store is closed' });
});
