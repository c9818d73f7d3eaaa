import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { idAt } from '../../guard/observations.ts';
import { createGuardFixture, runaway } from './guard-fixture.ts';

const budgets = { per_node: { max: 1, within: '1h' } };
const enforced = { mode: 'enforce', budgets, policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

/** A disk that is not there at the start: until then what comes is in memory, where nothing is known of before. */
function lateDisk(disk: Store, isDamaged = false) {
  const memory = memoryStore();
  let isThere = false;
  const current = (): Store => (isThere ? disk : memory);
  const store: Store = {
    get durable() {
      return isThere;
    },
    get problem() {
      return isThere ? undefined : 'the disk is away';
    },
    mergeCount: 0,
    history: memory.history,
    get wasRecreated() {
      return isThere && isDamaged;
    },
    commit: async (changes) => {
      const stored = await current().commit(changes);
      return isThere ? stored : { ok: false, error: 'the disk is away' };
    },
    find: (query) => current().find(query),
    count: (query) => current().count(query),
    close: () => disk.close(),
  };
  return {
    store,
    comes: () => {
      isThere = true;
    },
  };
}

/** What a first run leaves on the disk in which the guard does what `act` says for half a minute. */
async function diskAfter(act: (bed: ReturnType<typeof createGuardFixture>) => void = () => undefined): Promise<Store> {
  const disk = memoryStore();
  const bed = createGuardFixture(enforced, { store: disk });
  bed.nodes.arrivals = [0];
  await bed.begin();
  act(bed);
  await bed.run(30);
  await bed.end();
  return disk;
}

/** A second run, that begins before its disk is there. */
async function lateRun(disk: Store, { arrivals = [0], isDamaged = false } = {}) {
  const { store, comes } = lateDisk(disk, isDamaged);
  const bed = createGuardFixture(enforced, { store });
  bed.nodes.arrivals = arrivals;
  await bed.begin();
  await bed.run(30);
  expect(bed.nodes.orders).toEqual([]);
  comes();
  return bed;
}

describe('a guard that started before its disk was available', () => {
  it('aborts after the disk is available, if all conditions hold', async () => {
    const { run, nodes, end } = await lateRun(memoryStore());
    await run(30);
    expect(nodes.orders).toMatchObject([{ id: idAt(0) }]);
    await end();
  });

  it.each([
    ['a query with an intent', [0]],
    ['a query whose budget is spent', [1]],
  ])('does not abort %s in an earlier run', async (_, arrivals) => {
    const { run, nodes, end, supervisor } = await lateRun(await diskAfter(), { arrivals });
    await run(30);
    expect(nodes.orders).toEqual([]);
    expect(supervisor.view('prod')?.aborts).toMatchObject([{ id: idAt(0) }]);
    await end();
  });

  it('stays paused if an operator paused an earlier run', async () => {
    const paused = await diskAfter(({ supervisor }) => void supervisor.pause('anna', 'operator'));
    const { run, nodes, end, supervisor } = await lateRun(paused);
    await run(30);
    expect([supervisor.paused().reasons, nodes.orders]).toEqual([['operator'], []]);
    expect(await supervisor.resume('anna')).toEqual(ok(undefined));
    await run(30);
    expect(nodes.orders).toHaveLength(1);
    await end();
  });

  it('pauses if the stored state is lost', async () => {
    const { run, nodes, end, supervisor } = await lateRun(memoryStore(), { isDamaged: true });
    await run(30);
    expect([supervisor.paused().reasons, nodes.orders]).toEqual([['state_lost'], []]);
    await end();
  });
});
