import { expect, it } from 'vitest';
import type { Row, Store, StoreChange } from '../../src/kernel/store.ts';
import { intent, outcome } from '../runtime/store/intents.ts';

const done = { ok: true, value: undefined };

function transition(at: number, other: Row = {}): StoreChange {
  const replica = { cluster: 'prod', service: 'GPE', partition: '1', replica: '1' };
  const change = { from_status: 'online', to_status: 'down', process: '', event_id: '', event_ns: '' };
  return { table: 'transitions', put: { ...replica, at, ...change, lasted: null, source: 'services', ...other } };
}

function counter(name: string, value: number): StoreChange {
  return { table: 'counters', put: { name, value } };
}

function memory(collector: string, content: string): StoreChange {
  return { table: 'collector_memory', put: { cluster: 'prod', collector, content } };
}

/**
 * What each store promises by its port. `open` returns a new, empty store. A store whose history is read by another thread knows
 * only the summaries of that thread.
 */
export function storeSuite(open: () => Promise<Store>, { knowsSummaries = true } = {}): void {
  it('finds put rows, replaces them by primary key, and drops them', async () => {
    const store = await open();
    expect(await store.commit([memory('a', '1'), memory('b', '2'), memory('a', '3')])).toEqual(done);
    expect(
      await store.find({ table: 'collector_memory', order: ['collector'], columns: ['collector', 'content'] }),
    ).toEqual({
      ok: true,
      value: [
        { collector: 'a', content: '3' },
        { collector: 'b', content: '2' },
      ],
    });
    const drop = { table: 'collector_memory', drop: { cluster: 'prod', collector: 'a' } };
    expect(await store.commit([drop, memory('c', '4')])).toEqual(done);
    expect(await store.count({ table: 'collector_memory' })).toEqual({ ok: true, value: 2 });
  });

  it('applies the changes of a batch in their order', async () => {
    const store = await open();
    const drop = { table: 'collector_memory', drop: { cluster: 'prod' } };
    await store.commit([memory('a', '1'), drop, memory('b', '2'), drop, memory('c', '3')]);
    expect(await store.find({ table: 'collector_memory', columns: ['collector'] })).toEqual({
      ok: true,
      value: [{ collector: 'c' }],
    });
  });

  it('sets columns that a put does not name to their defaults', async () => {
    const store = await open();
    const basic = { id: 'n1', at: 1, receiver: 'ops', key: 'k', episode: 1, action: 'firing', result: 'accepted' };
    await store.commit([{ table: 'notifications', put: { ...basic, summary: 'down', status: 200 } }]);
    await store.commit([{ table: 'notifications', put: basic }]);
    expect(await store.find({ table: 'notifications' })).toMatchObject({
      value: [{ id: 'n1', summary: '', status: null, labels: '{}', attempts: 0 }],
    });
  });

  it('commits each batch of a group completely or not at all', async () => {
    const store = await open();
    const batches = [
      [memory('a', '1')],
      [memory('b', '2'), { table: 'collector_memory', put: { cluster: 'prod', collector: 'c', content: null } }],
      [memory('d', '4')],
    ];
    const outcomes = await Promise.all(batches.map((batch) => store.commit(batch)));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(outcomes[1]).toMatchObject({ error: expect.stringMatching(/^cannot be stored: /) });
    expect(await store.find({ table: 'collector_memory', order: ['collector'], columns: ['collector'] })).toMatchObject(
      {
        value: [{ collector: 'a' }, { collector: 'd' }],
      },
    );
  });

  it('pages, orders and compares, with NULL as the lowest value', async () => {
    const store = await open();
    await store.commit([transition(1, { lasted: 5 }), transition(2), transition(3, { lasted: 7 }), transition(4)]);
    const at = async (query: object) => {
      const found = await store.find({ table: 'transitions', columns: ['at'], ...query });
      return found.ok ? found.value.map((row) => row.at) : found.error;
    };
    expect(await at({ order: ['lasted', '-at'] })).toEqual([4, 2, 1, 3]);
    expect(await at({ order: ['-lasted', 'at'] })).toEqual([3, 1, 2, 4]);
    expect(await at({ where: [{ column: 'at', is: '>=', value: 2 }], order: ['at'], limit: 2 })).toEqual([2, 3]);
    expect(await at({ order: ['at'], offset: 3 })).toEqual([4]);
    expect(await at({ where: [{ column: 'lasted', is: '=', value: null }], order: ['at'] })).toEqual([2, 4]);
    expect(await at({ where: [{ column: 'lasted', is: '<', value: 6 }] })).toEqual([1]);
    expect(await at({ where: [{ column: 'at', is: '<', value: 2.5 }], order: ['at'] })).toEqual([1, 2]);
    expect(await store.count({ table: 'transitions', where: [{ column: 'at', is: '>', value: 1 }] })).toEqual({
      ok: true,
      value: 3,
    });
  });

  it('orders texts by their bytes, and keeps every character', async () => {
    const store = await open();
    const names = ['b', 'B', 'ä', 'a', 'Z_1', 'Z-1', '😀', "'; DROP TABLE counters; --", 'tab\there', '"quoted"'];
    await store.commit(names.map((name) => memory(name, name)));
    const found = await store.find({
      table: 'collector_memory',
      order: ['collector'],
      columns: ['collector', 'content'],
    });
    const sorted = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    expect(found).toEqual({ ok: true, value: sorted.map((name) => ({ collector: name, content: name })) });
  });

  it('accepts every text that a server may send', async () => {
    const store = await open();
    expect(await store.commit([memory('nul', 'a\0b'), memory('half', 'a\uD800b'), memory('later', 'x')])).toEqual(done);
    expect(await store.count({ table: 'collector_memory' })).toEqual({ ok: true, value: 3 });
  });

  it('keeps numbers up to 2^53', async () => {
    const store = await open();
    await store.commit([counter('most', Number.MAX_SAFE_INTEGER), counter('least', -1)]);
    expect(await store.find({ table: 'counters', order: ['value'] })).toEqual({
      ok: true,
      value: [
        { name: 'least', value: -1 },
        { name: 'most', value: Number.MAX_SAFE_INTEGER },
      ],
    });
  });

  it('never changes a row of the audit, and adds no second one with its key', async () => {
    const store = await open();
    expect(await store.commit([intent(1, 1000)])).toEqual(done);
    expect(await store.commit([intent(1, 2000)])).toMatchObject({ ok: false });
    expect(await store.find({ table: 'guard_intents', columns: ['at'] })).toEqual({ ok: true, value: [{ at: 1000 }] });
    expect(await store.commit([{ table: 'guard_intents', drop: { cluster: 'prod' } }])).toEqual({
      ok: false,
      error: 'cannot be stored: rows of guard_intents are never deleted',
    });
  });

  it('shows in the audit whether an intent bars its query', async () => {
    const store = await open();
    await store.commit([intent(1, 1000), intent(2, 2000), intent(3, 3000), intent(4, 4000)]);
    await store.commit([outcome(1, 'confirmed'), outcome(2, 'still_running'), outcome(3, 'not_sent')]);
    const found = await store.find({ table: 'guard_aborts', order: ['at'], columns: ['at', 'outcome', 'bars'] });
    expect(found).toEqual({
      ok: true,
      value: [
        { at: 1000, outcome: 'confirmed', bars: 0 },
        { at: 2000, outcome: 'still_running', bars: 1 },
        { at: 3000, outcome: 'not_sent', bars: 0 },
        { at: 4000, outcome: null, bars: 1 },
      ],
    });
    expect(await store.count({ table: 'guard_audit' })).toEqual({ ok: true, value: 4 });
  });

  it('summarizes rows of the history', async () => {
    const store = await open();
    await store.commit(Array.from({ length: 30 }, (_, index) => transition(index + 1)));
    const sum = {
      name: 'sum',
      compute: (rows: Iterable<Row>, input: unknown) => {
        let total = Number(input);
        for (const { at } of rows) total += Number(at);
        return [{ total }];
      },
    };
    const query = { table: 'transitions', where: [{ column: 'at', is: '<=', value: 10 } as const] };
    if (knowsSummaries) {
      expect(await store.history.summarize(sum, query, 100)).toEqual({ ok: true, value: [{ total: 155 }] });
    }
    expect(await store.history.find({ table: 'transitions', order: ['-at'], limit: 1 })).toMatchObject({
      value: [{ at: 30 }],
    });
    expect(await store.history.count({ table: 'transitions' })).toEqual({ ok: true, value: 30 });
  });

  it('returns errors as sentences', async () => {
    const store = await open();
    expect(await store.find({ table: 'nowhere' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('nowhere'),
    });
    expect(await store.commit([{ table: 'a; b', put: { id: 1 } }])).toMatchObject({ ok: false });
    expect(await store.count({ table: 'a; b' })).toMatchObject({ ok: false });
  });

  it('refuses everything after it was closed', async () => {
    const store = await open();
    const last = store.commit([memory('a', '1')]);
    await store.close();
    expect(await last).toEqual(done);
    expect(await store.commit([memory('b', '2')])).toEqual({ ok: false, error: 'the store is closed' });
    expect(await store.find({ table: 'counters' })).toEqual({ ok: false, error: 'the store is closed' });
  });
}
