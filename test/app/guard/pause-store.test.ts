import { describe, expect, it } from 'vitest';
import type { PauseReason } from '../../../src/api/guard.ts';
import { createPauseStore } from '../../../src/app/guard/pause-store.ts';
import type { Pause } from '../../../src/app/guard/pause-switch.ts';
import { pauseChange, stateChanges } from '../../../src/guard/storage/guard-state-rows.ts';
import { ok } from '../../../src/kernel/result.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch } from '../../guard/observations.ts';
import { FakeClock } from '../../support/clock.ts';

function everywhere(...reasons: readonly PauseReason[]): readonly Pause[] {
  return reasons.map((reason) => ({ reason, cluster: '' }));
}

function memoryIn(store = memoryStore()) {
  return { store, memory: createPauseStore(store, new FakeClock(epoch)) };
}

describe('the stored pause reasons', () => {
  it('have no reason at first', async () => {
    expect(await memoryIn().memory.read()).toEqual(ok([]));
  });

  it('keep the last write for the next run', async () => {
    const { store, memory } = memoryIn();
    await memory.write(everywhere('operator', 'signal'));
    expect(await memory.write(everywhere('signal', 'state_lost', 'unexpected_id'))).toEqual(ok(undefined));
    expect(await memoryIn(store).memory.read()).toEqual(ok(everywhere('signal', 'state_lost', 'unexpected_id')));
    const rows = await store.find({ table: 'guard_standing' });
    expect(rows.ok && rows.value.map(({ at }) => at)).toEqual([epoch, epoch, epoch]);
  });

  it('are empty after a resume, which keeps all other rows', async () => {
    const { store, memory } = memoryIn();
    await store.commit(stateChanges('prod', { kind: 'breaker', breaker: 'b', isOpen: true }, epoch));
    await memory.write(everywhere('operator'));
    await memory.write([]);
    expect(await memory.read()).toEqual(ok([]));
    expect(await store.count({ table: 'guard_standing' })).toEqual(ok(1));
  });

  it('keeps pauses of single clusters apart', async () => {
    const { store, memory } = memoryIn();
    const pauses: readonly Pause[] = [
      { reason: 'operator', cluster: '' },
      { reason: 'other_guard', cluster: 'prod' },
      { reason: 'unexpected_id', cluster: 'prod' },
      { reason: 'unexpected_id', cluster: 'test' },
    ];
    await memory.write(pauses);
    expect(await memoryIn(store).memory.read()).toEqual(ok(pauses));
    await memory.write(pauses.slice(3));
    expect(await memoryIn(store).memory.read()).toEqual(ok(pauses.slice(3)));
  });

  it('applies a pause of an earlier version, which has no cluster, to all clusters', async () => {
    const { store, memory } = memoryIn();
    const put = { cluster: '', kind: 'pause', name: 'unexpected_id', value: '', at: epoch };
    await store.commit([{ table: 'guard_standing', put }]);
    expect(await memory.read()).toEqual(ok(everywhere('unexpected_id')));
  });

  it.each(['some day', 'file'])('applies a stored reason that is unknown (%s) to all clusters', async (reason) => {
    const { store, memory } = memoryIn();
    await store.commit([pauseChange({ cluster: 'prod', reason, by: 'alice', at: epoch })]);
    await store.commit([pauseChange({ cluster: '', reason: 'state_lost', by: '', at: epoch })]);
    expect(await memory.read()).toEqual(ok(everywhere('state_lost')));
    await memory.write([]);
    expect(await memory.read()).toEqual(ok([]));
  });

  it('report a failed read or write', async () => {
    const { store, memory } = memoryIn();
    await store.close();
    expect(await memory.read()).toMatchObject({ ok: false });
    expect(await memory.write(everywhere('operator'))).toMatchObject({ ok: false });
  });
});
