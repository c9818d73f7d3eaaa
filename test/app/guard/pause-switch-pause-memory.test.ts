import { describe, expect, it } from 'vitest';
import { createPauseStore } from '../../../src/app/guard/pause-switch.ts';
import { pauseChange, stateChanges } from '../../../src/guard/storage/guard-state-rows.ts';
import { ok } from '../../../src/kernel/result.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch } from '../../guard/observations.ts';
import { FakeClock } from '../../support/clock.ts';

function memoryIn(store = memoryStore()) {
  return { store, memory: createPauseStore(store, new FakeClock(epoch)) };
}

describe('the stored pause reasons', () => {
  it('knows of no reason at first', async () => {
    expect(await memoryIn().memory.read()).toEqual(ok([]));
  });

  it('holds what was written last, for the next run', async () => {
    const { store, memory } = memoryIn();
    await memory.write(['operator', 'signal']);
    expect(await memory.write(['signal', 'unexpected_id', 'state_lost'])).toEqual(ok(undefined));
    const read = await memoryIn(store).memory.read();
    expect(read.ok && read.value.toSorted()).toEqual(['signal', 'state_lost', 'unexpected_id']);
    const rows = await store.find({ table: 'guard_standing' });
    expect(rows.ok && rows.value.map(({ at }) => at)).toEqual([epoch, epoch, epoch]);
  });

  it('is empty after a resume, and leaves all else that stands', async () => {
    const { store, memory } = memoryIn();
    await store.commit(stateChanges('prod', { kind: 'breaker', breaker: 'b', isOpen: true }, epoch));
    await memory.write(['operator']);
    await memory.write([]);
    expect(await memory.read()).toEqual(ok([]));
    expect(await store.count({ table: 'guard_standing' })).toEqual(ok(1));
  });

  it.each(['some day', 'file'])('accepts a stored reason that is unknown (%s)', async (reason) => {
    const { store, memory } = memoryIn();
    await store.commit([pauseChange({ reason, by: 'alice', at: epoch })]);
    await store.commit([pauseChange({ reason: 'state_lost', by: '', at: epoch })]);
    expect(await memory.read()).toEqual(ok(['state_lost']));
    await memory.write([]);
    expect(await memory.read()).toEqual(ok([]));
  });

  it('says so where nothing can be read or written', async () => {
    const { store, memory } = memoryIn();
    await store.close();
    expect(await memory.read()).toMatchObject({ ok: false });
    expect(await memory.write(['operator'])).toMatchObject({ ok: false });
  });
});
