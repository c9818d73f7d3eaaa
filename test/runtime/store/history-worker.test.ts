import { rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Row, Summary } from '../../../src/kernel/store.ts';
import { type HistoryRead, historyWork } from '../../../src/runtime/store/history-worker.ts';
import { openStateFile } from '../../../src/runtime/store/state-file.ts';
import { note, noteTables } from './notes.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const lengths: Summary = {
  name: 'lengths',
  compute: (rows, input) => [
    { length: [...rows].map(({ text }) => String(text)).join('').length, input: String(input) },
  ],
};

const work = historyWork([lengths]);

/** A database that another connection has open, as the store's thread does. */
function openNotes(count: number) {
  const folder = temporaryStateDir();
  const opened = openStateFile(folder, { steps: [noteTables] });
  if (!opened.ok) throw new Error(opened.error.message);
  const { database } = opened.value;
  onTestFinished(() => database.close());
  database.commit([Array.from({ length: count }, (_, index) => note(String(index).padStart(6, '0'), 'text', index))]);
  const read = (query: HistoryRead, timeout = 60_000) => work({ ...query, folder, timeout });
  return { folder, database, read };
}

const notes = { table: 'notes', order: ['id'] };

describe('historyWork', () => {
  it('finds, counts and summarizes the rows of the file', async () => {
    const { read } = openNotes(3);
    const rows: readonly Row[] = [{ id: '000001', text: 'text', rank: 1 }];
    expect(await read({ kind: 'find', query: { ...notes, limit: 1, offset: 1 } })).toEqual({ kind: 'rows', rows });
    expect(await read({ kind: 'count', query: notes })).toEqual({ kind: 'count', count: 3 });
    const summarized = await read({ kind: 'summarize', query: notes, summary: 'lengths', input: 7 });
    expect(summarized).toEqual({ kind: 'rows', rows: [{ length: 12, input: '7' }] });
  });

  it('reads the last commit while another connection writes', async () => {
    const { database, read } = openNotes(3);
    database.run('BEGIN IMMEDIATE');
    database.apply(note('9', 'not committed'));
    expect(await read({ kind: 'count', query: notes })).toEqual({ kind: 'count', count: 3 });
    database.run('COMMIT');
    expect(await read({ kind: 'count', query: notes })).toEqual({ kind: 'count', count: 4 });
  });

  it('returns at most 10,000 rows', async () => {
    const { read } = openNotes(10_001);
    expect(await read({ kind: 'find', query: notes })).toMatchObject({ rows: { length: 10_000 } });
    expect(await read({ kind: 'find', query: { ...notes, limit: 20_000 } })).toMatchObject({
      rows: { length: 10_000 },
    });
  });

  it('cancels a read whose time is over', async () => {
    const { read } = openNotes(3);
    const failed = { kind: 'failed', message: 'reading the history took too long' };
    expect(await read({ kind: 'find', query: notes }, -1)).toEqual(failed);
    expect(await read({ kind: 'summarize', query: notes, summary: 'lengths' }, -1)).toEqual(failed);
  });

  it('distinguishes a file that cannot be read from a read that fails', async () => {
    const { folder, read } = openNotes(0);
    const nowhere = { kind: 'failed', message: 'no such table: nowhere' };
    expect(await read({ kind: 'find', query: { table: 'nowhere' } })).toEqual(nowhere);
    const unknown = { kind: 'failed', message: "unknown summary 'sizes'" };
    expect(await read({ kind: 'summarize', query: notes, summary: 'sizes' })).toEqual(unknown);
    rmSync(`${folder}/state.db`);
    expect(await read({ kind: 'find', query: notes })).toMatchObject({ kind: 'unavailable' });
  });

  it('rejects an invalid request', async () => {
    await expect(work('nonsense')).rejects.toThrow('the thread of the history received an unexpected request');
  });
});
