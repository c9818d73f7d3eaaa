import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyBreaker } from '../../../src/guard/decision/breakers.ts';
import { intentChange, type KeptOutcome, outcomeChange } from '../../../src/guard/keeping/abort-rows.ts';
import { type KeptRead, readKept, readPause } from '../../../src/guard/keeping/read-kept.ts';
import { clockChange, pauseChange, resumeChange, standingChanges } from '../../../src/guard/keeping/standing-rows.ts';
import { err } from '../../../src/kernel/result.ts';
import type { Change, Store } from '../../../src/kernel/store.ts';
import { abortOutcomes, goneOutcomes } from '../../../src/model/abort-outcomes.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { memoryStore } from '../../../src/runtime/store/memory-store.ts';
import { epoch } from '../listed.ts';
import { keptAbort, rowOf } from './kept-aborts.ts';

async function storeWith(...changes: readonly Change[]): Promise<Store> {
  const store = memoryStore();
  expect(await store.commit(changes)).toEqual({ ok: true, value: undefined });
  return store;
}

async function kept(store: Store, cluster = 'prod'): Promise<KeptRead> {
  const read = await readKept(store, cluster);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

function ended(serial: number, outcome: AbortOutcome): readonly Change[] {
  const known: KeptOutcome = { outcome, at: epoch + 9000 };
  return [intentChange(keptAbort(serial)), outcomeChange(keptAbort(serial), known)];
}

const byPolicy = policyBreaker('runaway');

describe('what is kept of the guard of a cluster', () => {
  it('is nothing at first', async () => {
    expect(await kept(memoryStore())).toEqual({
      intents: [],
      breakers: [],
      breakerViews: [],
      reliefless: {},
      offsets: {},
      isPaused: false,
      troubles: [],
    });
  });

  it('is every intent with its outcome', async () => {
    const story = fc.array(fc.option(fc.constantFrom(...abortOutcomes), { nil: undefined }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(story, async (words) => {
        const changes = words.flatMap((word, serial) =>
          word === undefined ? [intentChange(keptAbort(serial))] : ended(serial, word),
        );
        const { intents, troubles } = await kept(await storeWith(...changes));
        const found = new Map(intents.map(({ id, outcome }) => [id, outcome]));
        expect(found).toEqual(new Map(words.map((word, serial) => [keptAbort(serial).id, word])));
        expect([intents.length, troubles]).toEqual([words.length, []]);
      }),
      { numRuns: 30 },
    );
  });

  it('is what stands', async () => {
    const store = await storeWith(
      ...standingChanges('prod', { kind: 'breaker', breaker: byPolicy, isOpen: true }, epoch),
      ...standingChanges('prod', { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 2 }, epoch),
      clockChange({ cluster: 'prod', node: 'n1' }, { offset: 5, anchor: 4 }, epoch),
      clockChange({ cluster: 'prod', node: '__proto__' }, { offset: 7 }, epoch),
    );
    const { breakers, breakerViews, reliefless, offsets } = await kept(store);
    expect([breakers, reliefless]).toEqual([[byPolicy], { runaway: 2 }]);
    expect(breakerViews).toMatchObject([{ policy: 'runaway', since: epoch }]);
    expect(Object.entries(offsets)).toEqual([
      ['__proto__', { offset: 7 }],
      ['n1', { offset: 5, anchor: 4 }],
    ]);
    await store.commit(standingChanges('prod', { kind: 'breaker', breaker: byPolicy, isOpen: false }, epoch));
    expect(await kept(store)).toMatchObject({ breakers: [], reliefless: {} });
  });

  it('is that of this cluster alone', async () => {
    const store = await storeWith(
      intentChange(keptAbort(1, { cluster: 'test' })),
      ...standingChanges('test', { kind: 'breaker', breaker: byPolicy, isOpen: true }, epoch),
    );
    expect(await kept(store)).toMatchObject({ intents: [], breakers: [] });
    expect((await kept(store, 'test')).intents).toHaveLength(1);
  });

  it('is all that bars, however old, and of the rest the newest', async () => {
    const gone = Array.from({ length: 10_050 }, (_, serial) => keptAbort(serial, { at: epoch + serial }));
    const changes = gone.flatMap((intent, place) => [
      intentChange(intent),
      outcomeChange(intent, { outcome: goneOutcomes[place % 3] ?? 'confirmed', at: epoch }),
    ]);
    const store = await storeWith(intentChange(keptAbort(99_999, { at: 1 })), ...changes);
    const { intents } = await kept(store);
    expect(intents).toHaveLength(10_001);
    expect(intents[0]).toMatchObject({ id: keptAbort(99_999).id, outcome: undefined });
    expect(Math.min(...intents.slice(1).map((one) => one.at))).toBe(epoch + 50);
  });
});

describe('rows that are not as they were stored', () => {
  it('bar all the same, and are told of', async () => {
    const bad = { ...rowOf(intentChange(keptAbort(1))), evidence: '{', graph: '../x' };
    const store = await storeWith({ table: 'guard_intents', put: bad }, intentChange(keptAbort(2)));
    const { intents, troubles } = await kept(store);
    expect(intents.map(({ id }) => id)).toEqual([keptAbort(1).id, keptAbort(2).id]);
    const { id } = keptAbort(1);
    expect(troubles).toEqual([`the intent on '${id}' of node 'n1' cannot be read; it bars that query all the same`]);
  });

  it('are told of where they do not even say what they bar', async () => {
    const bad = { ...rowOf(intentChange(keptAbort(1))), key: '', node: '', id: '' };
    const { intents, troubles } = await kept(await storeWith({ table: 'guard_intents', put: bad }));
    expect([intents, troubles]).toEqual([[], ['an intent cannot be read, and does not say what it bars']]);
  });

  it('are told of where they say what stands', async () => {
    const put = { cluster: 'prod', kind: 'relief', name: 'runaway', value: '{', at: 0 };
    const { reliefless, troubles } = await kept(await storeWith({ table: 'guard_standing', put }));
    expect([reliefless, troubles]).toEqual([{}, ["what was kept as relief of 'runaway' cannot be read"]]);
  });
});

describe('the reasons to hold still', () => {
  it('are kept, each for itself', async () => {
    const pause = { reason: 'operator', by: 'alice', at: epoch };
    const other = { reason: 'signal', by: '', at: epoch - 5 };
    const store = await storeWith(pauseChange(pause), pauseChange(other));
    expect(await readPause(store)).toEqual({ ok: true, value: [other, pause] });
    expect((await kept(store)).isPaused).toBe(true);
    await store.commit([resumeChange('signal')]);
    expect((await kept(store)).isPaused).toBe(true);
    await store.commit([resumeChange()]);
    expect((await kept(store)).isPaused).toBe(false);
  });

  it('hold also where they cannot be read', async () => {
    const put = { cluster: '', kind: 'pause', name: '', value: '', at: 0 };
    expect((await kept(await storeWith({ table: 'guard_standing', put }))).isPaused).toBe(true);
  });
});

it.each([1, 2, 3, 4])('is not known where the store loses answer %i of four', async (lost) => {
  const store = memoryStore();
  let asked = 0;
  const find: Store['find'] = async (question) => {
    asked += 1;
    return asked === lost ? err('the disk is gone') : store.find(question);
  };
  expect(await readKept({ ...store, find }, 'prod')).toEqual(err('the disk is gone'));
});

it('is not known where the store cannot be read', async () => {
  const store = memoryStore();
  await store.close();
  expect(await readKept(store, 'prod')).toEqual({ ok: false, error: 'the store is closed' });
  expect(await readPause(store)).toEqual({ ok: false, error: 'the store is closed' });
});
