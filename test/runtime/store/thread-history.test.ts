import { describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/kernel/store.ts';
import type { HistoryReply } from '../../../src/runtime/store/history-worker.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { ThreadHistory } from '../../../src/runtime/store/thread-history.ts';
import { FakeClock } from '../../support/clock.ts';

const query = { table: 'silences' };
const total: Summary = { name: 'total', compute: (rows) => [{ total: [...rows].length }] };
const inMemory = {
  table: 'silences',
  put: { id: '1', matchers: '', starts_at: 0, ends_at: 0, author: '', reason: '' },
};

/** A reader over a thread that gives `reply`, with a store that has one row. */
async function setUp(reply: unknown, durable = true) {
  const memory = memoryStore();
  expect(await memory.commit([inMemory])).toMatchObject({ ok: true });
  const store = { durable, find: memory.find.bind(memory), count: memory.count.bind(memory) };
  const clock = new FakeClock();
  const sentRequests: unknown[] = [];
  let gate: Promise<void> = Promise.resolve();
  const request = async (sent: unknown): Promise<unknown> => {
    sentRequests.push(sent);
    await gate;
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const history = new ThreadHistory({
    thread: { request, stop: async () => undefined },
    folder: 'state',
    store,
    clock,
  });
  const holdUp = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { history, sentRequests, clock, holdUp };
}

const rows: HistoryReply = { kind: 'rows', rows: [{ total: 9 }] };

describe('ThreadHistory', () => {
  it('requests its thread with the remaining time', async () => {
    const { history, sentRequests } = await setUp(rows);
    expect(await history.find(query)).toEqual({ ok: true, value: [{ total: 9 }] });
    expect(await history.summarize(total, query, 7)).toEqual({ ok: true, value: [{ total: 9 }] });
    expect(sentRequests).toEqual([
      { kind: 'find', query, folder: 'state', timeout: 5000 },
      { kind: 'summarize', query, summary: 'total', input: 7, folder: 'state', timeout: 5000 },
    ]);
    expect(history.maxSummaryRows).toBe(100_000);
  });

  it.each([
    ['the state is only in memory', rows, false],
    ['the file cannot be read', { kind: 'unavailable', message: '' }, true],
  ])('queries the store if %s', async (_, reply, durable) => {
    const { history, sentRequests } = await setUp(reply, durable);
    expect(await history.find(query)).toMatchObject({ ok: true, value: [{ id: '1' }] });
    expect(await history.count(query)).toEqual({ ok: true, value: 1 });
    expect(await history.summarize(total, query, 7)).toEqual({ ok: true, value: [{ total: 1 }] });
    expect(sentRequests).toHaveLength(durable ? 3 : 0);
    expect(history.maxSummaryRows).toBe(durable ? 100_000 : 10_000);
  });

  it.each([
    [{ kind: 'failed', message: 'no such table' }, 'no such table'],
    [new Error('no memory'), 'the thread of the history failed: no memory'],
    ['nonsense', 'the thread of the history returned an unexpected reply'],
  ])('returns the error of its thread: $1', async (reply, error) => {
    const { history } = await setUp(reply);
    expect(await history.find(query)).toEqual({ ok: false, error });
    expect(await history.count(query)).toEqual({ ok: false, error });
    expect(await history.summarize(total, query, 7)).toEqual({ ok: false, error });
  });

  it('does not send a read that waited too long', async () => {
    const { history, sentRequests, clock, holdUp } = await setUp(rows);
    const release = holdUp();
    const first = history.find(query);
    const second = history.find(query);
    await clock.advance(5000);
    release();
    expect(await first).toMatchObject({ ok: true });
    expect(await second).toEqual({ ok: false, error: 'reading the history took too long' });
    expect(sentRequests).toHaveLength(1);
  });
});
