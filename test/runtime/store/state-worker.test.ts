import { describe, expect, it, onTestFinished } from 'vitest';
import { stateWork } from '../../../src/runtime/store/state-worker.ts';
import type { Work } from '../../../src/runtime/worker-roles.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const well = { durable: true, problem: undefined, wasRecreated: false, mergeCount: 0 };
const done = { ok: true, value: undefined };

function work(): Work {
  const answer = stateWork({ steps: [noteTables] });
  onTestFinished(() =>
    answer({ kind: 'close' }).then(
      () => undefined,
      () => undefined,
    ),
  );
  return answer;
}

function open(folder: string) {
  return { kind: 'open', folder, retention: generous };
}

describe('the work of the store', () => {
  it('replies to each kind of request with the status of the state', async () => {
    const send = work();
    expect(await send(open(temporaryStateDir()))).toEqual({ status: well });
    const batches = [[note('1', 'a')], [note('2', 'b')]];
    expect(await send({ kind: 'commit', batches, now: 0 })).toEqual({ status: well, outcomes: [done, done] });
    expect(await send({ kind: 'find', query: { table: 'notes', limit: 1 } })).toEqual({
      status: well,
      rows: { ok: true, value: [{ id: '1', text: 'a', rank: null }] },
    });
    expect(await send({ kind: 'count', query: { table: 'notes' } })).toEqual({
      status: well,
      count: { ok: true, value: 2 },
    });
    expect(await send({ kind: 'close' })).toEqual({ status: well });
  });

  it('returns the error of an invalid query, and continues', async () => {
    const send = work();
    await send(open(temporaryStateDir()));
    expect(await send({ kind: 'find', query: { table: 'nowhere' } })).toEqual({
      status: well,
      rows: { ok: false, error: 'no such table: nowhere' },
    });
    expect(await send({ kind: 'count', query: { table: '"' } })).toMatchObject({
      status: well,
      count: { ok: false },
    });
    expect(await send({ kind: 'count', query: { table: 'notes' } })).toMatchObject({ count: { value: 0 } });
  });

  it('reports why it does not open a folder', async () => {
    const folder = temporaryStateDir();
    await work()(open(folder));
    expect(await work()(open(folder))).toMatchObject({ refusal: { kind: 'locked' }, status: { durable: false } });
  });

  it('that is opened twice closes the first folder', async () => {
    const send = work();
    const folder = temporaryStateDir();
    await send(open(folder));
    await send({ kind: 'commit', batches: [[note('1', 'a')]], now: 0 });
    expect(await send(open(folder))).toEqual({ status: well });
    expect(await send({ kind: 'count', query: { table: 'notes' } })).toMatchObject({ count: { value: 1 } });
  });

  it.each([
    [{ kind: 'commit', batches: [], now: 0 }, 'the store is not open'],
    [{ kind: 'close' }, 'the store is not open'],
    [undefined, 'received an unexpected request'],
    ['find', 'received an unexpected request'],
    [{}, 'received an unexpected request'],
  ])('rejects %j', async (request, complaint) => {
    await expect(work()(request)).rejects.toThrow(complaint);
  });
});
