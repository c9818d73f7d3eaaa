import { describe, expect, it } from 'vitest';
import { GuardStateStore } from '../../../src/app/guard/guard-persistence.ts';
import { initialNodeView } from '../../../src/guard/decision/node-view.ts';
import { type GuardState, initialState } from '../../../src/guard/decision/state.ts';
import { intentChange, outcomeChange, type StoredAbort } from '../../../src/guard/storage/abort-rows.ts';
import { clockOffsetChange, stateChanges } from '../../../src/guard/storage/guard-state-rows.ts';
import { err } from '../../../src/kernel/result.ts';
import type { Store, StoreChange, StoreQuery } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch } from '../../guard/observations.ts';
import { rowOf, storedAbort } from '../../guard/storage/stored-aborts.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';

const day = 86_400_000;
const never = new AbortController().signal;

/** A memory over a store that fails as long as a test says so. */
function memoryOf() {
  const clock = new FakeClock(epoch + 10_000);
  const log = recordingLogger();
  const inner = memoryStore();
  const committed: StoreChange[] = [];
  const failing: { finds: (query: StoreQuery) => boolean; commits: boolean } = {
    finds: () => false,
    commits: false,
  };
  const store: Store = {
    durable: true,
    problem: undefined,
    wasRecreated: false,
    mergeCount: 0,
    history: inner.history,
    find: async (query) => (failing.finds(query) ? err('the disk is away') : inner.find(query)),
    async commit(changes) {
      if (failing.commits) return err('the disk is full');
      committed.push(...changes);
      return inner.commit(changes);
    },
    count: (query) => inner.count(query),
    close: () => inner.close(),
  };
  const memory = new GuardStateStore('prod', { clock, log, store });
  return { clock, log, store, memory, failing, committed };
}

/** Nodes whose clocks stand so to ours. */
function stateOf(offsets: Readonly<Record<string, Parameters<typeof initialNodeView>[0]>>): GuardState {
  const views = Object.entries(offsets).map(([node, offset]) => [node, initialNodeView(offset)] as const);
  return { ...initialState(), views: new Map(views) };
}

function abortAt(serial: number, at: number, cluster = 'prod'): StoredAbort {
  return storedAbort(serial, { at, cluster });
}

describe('the state of an earlier run', () => {
  it('is empty in the first run', async () => {
    const { memory, log, clock } = memoryOf();
    const read = await memory.load(never);
    expect(read?.aborts).toEqual([]);
    expect(read?.known).toMatchObject({ intents: [], breakers: [], offsets: {}, isPaused: false });
    expect([log.lines, clock.sleeping]).toEqual([[], 0]);
  });

  it('has excluded entries, and intents that are open or ended within a day, the latest first', async () => {
    const { memory, store } = memoryOf();
    const [open, old] = [abortAt(1, epoch - 2 * day), abortAt(2, epoch - 3 * day)];
    const [recent, other] = [abortAt(3, epoch - 1000), abortAt(4, epoch, 'test')];
    const since = epoch + 10_000 - day;
    await store.commit([
      ...[open, old, recent, other].map(intentChange),
      outcomeChange(old, { outcome: 'confirmed', at: since - 1 }),
      outcomeChange(recent, { outcome: 'confirmed', at: since }),
      ...stateChanges('prod', { kind: 'breaker', breaker: 'same_query fraud ring_scan', isOpen: true }, epoch),
      clockOffsetChange({ cluster: 'prod', node: 'n1' }, { offset: 70 }, epoch),
    ]);
    const read = await memory.load(never);
    expect(read?.aborts.map(({ key, outcome }) => [key, outcome])).toEqual([
      [recent.key, 'confirmed'],
      [open.key, undefined],
    ]);
    expect(read?.known.intents).toHaveLength(3);
    expect(read?.known).toMatchObject({ breakers: ['same_query fraud ring_scan'], offsets: { n1: { offset: 70 } } });
  });

  it('is logged if it is invalid', async () => {
    const { memory, store, log } = memoryOf();
    const broken = { ...rowOf(clockOffsetChange({ cluster: 'prod', node: 'n1' }, {}, epoch)), value: '{' };
    await store.commit([{ table: 'guard_standing', put: broken }]);
    expect((await memory.load(never))?.known.offsets).toEqual({});
    const error = "the stored clock of 'n1' cannot be read";
    expect(log.lines).toEqual([{ level: 'error', message: 'guard row cannot be read', fields: { error } }]);
  });

  it.each<readonly [string, (query: StoreQuery) => boolean]>([
    ['the guard state', ({ table }) => table === 'guard_standing'],
    ['the open aborts', ({ where }) => where?.some(({ column }) => column === 'outcome') === true],
    ['the ended aborts', ({ where }) => where?.some(({ column }) => column === 'ended_at') === true],
  ])('is loaded again until all of it can be read: %s', async (_, finds) => {
    const { memory, failing, clock, log } = memoryOf();
    failing.finds = finds;
    const read = memory.load(never);
    await clock.advance(10_000);
    expect(log.lines).toHaveLength(3);
    expect(log.lines[0]).toMatchObject({ level: 'error', fields: { error: 'the disk is away' } });
    failing.finds = () => false;
    await clock.advance(5000);
    expect((await read)?.aborts).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });

  it('does not delay the stop', async () => {
    const { memory, failing, clock } = memoryOf();
    const over = new AbortController();
    failing.finds = () => true;
    const read = memory.load(over.signal);
    await clock.advance(7000);
    over.abort();
    expect(await read).toBeUndefined();
    expect(clock.sleeping).toBe(0);
    expect(await memory.load(over.signal)).toBeUndefined();
  });
});

describe('the clocks of nodes', () => {
  it('are stored once a minute, and only if they changed', async () => {
    const { memory, clock, committed } = memoryOf();
    const reported = () => committed.splice(0).map((change) => [rowOf(change).name, rowOf(change).value]);
    memory.saveClockOffsets(stateOf({ n1: { offset: 5 }, n2: { offset: 7, anchor: 3 }, n3: {} }), clock.now());
    expect(reported()).toEqual([
      ['n1', '{"offset":5}'],
      ['n2', '{"offset":7,"anchor":3}'],
    ]);
    const changed = stateOf({ n1: { offset: 6 }, n2: { offset: 7, anchor: 3 }, n3: {} });
    await clock.advance(59_999);
    memory.saveClockOffsets(changed, clock.now());
    expect(reported()).toEqual([]);
    await clock.advance(1);
    memory.saveClockOffsets(changed, clock.now());
    expect(reported()).toEqual([['n1', '{"offset":6}']]);
    await clock.advance(60_000);
    memory.saveClockOffsets(changed, clock.now());
    expect(reported()).toEqual([]);
  });

  it('are restored as they were stored', async () => {
    const { memory, clock } = memoryOf();
    memory.saveClockOffsets(stateOf({ n1: { offset: 5, anchor: 4 } }), clock.now());
    expect((await memory.load(never))?.known.offsets).toEqual({ n1: { offset: 5, anchor: 4 } });
  });

  it('are stored a minute later if the store fails', async () => {
    const { memory, clock, committed, failing } = memoryOf();
    const state = stateOf({ n1: { offset: 5 } });
    failing.commits = true;
    memory.saveClockOffsets(state, clock.now());
    await clock.settle();
    failing.commits = false;
    memory.saveClockOffsets(state, clock.now());
    expect(committed).toEqual([]);
    await clock.advance(60_000);
    memory.saveClockOffsets(state, clock.now());
    expect(committed).toHaveLength(1);
  });
});

describe('the names of graphs', () => {
  it('are requested every 30 s', async () => {
    const { memory, clock } = memoryOf();
    const found: (readonly string[])[] = [];
    let requests = 0;
    const reach = {
      async graphs() {
        requests += 1;
        return [`fraud${requests}`];
      },
    };
    const refresh = () => memory.refreshGraphs(reach, clock.now(), (names) => found.push(names));
    for (const length of [0, 1000, 28_999, 1, 29_999]) {
      await clock.advance(length);
      refresh();
    }
    await clock.settle();
    expect(found).toEqual([['fraud1'], ['fraud2']]);
  });

  it('are requested again 1 s after no node replied, then less often, and not during a request', async () => {
    const { memory, clock } = memoryOf();
    const found: (readonly string[])[] = [];
    const replies: PromiseWithResolvers<readonly string[] | undefined>[] = [];
    const reach = {
      graphs() {
        const reply = Promise.withResolvers<readonly string[] | undefined>();
        replies.push(reply);
        return reply.promise;
      },
    };
    const refresh = () => memory.refreshGraphs(reach, clock.now(), (names) => found.push(names));
    refresh();
    refresh();
    expect(replies).toHaveLength(1);
    for (const wait of [1000, 2000, 4000]) {
      replies.at(-1)?.resolve(undefined);
      const { length } = replies;
      await clock.advance(wait - 1);
      refresh();
      expect(replies).toHaveLength(length);
      await clock.advance(1);
      refresh();
      expect(replies).toHaveLength(length + 1);
    }
    replies.at(-1)?.resolve([]);
    await clock.settle();
    refresh();
    expect(replies).toHaveLength(4);
    expect(found).toEqual([[]]);
  });
});
