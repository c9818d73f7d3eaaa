import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReadOnlyDatabase } from '../../../src/runtime/store/read-only-database.ts';
import { openStateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { note, noteTables } from './notes.ts';
import { temporaryStateDir } from './temporary-folder.ts';

function filledFolder(): string {
  const folder = temporaryStateDir();
  const file = openStateFile(folder, { steps: [noteTables] });
  if (!file.ok) throw new Error(file.error.message);
  file.value.database.commit([[note('1', 'a')]]);
  file.value.database.close();
  return folder;
}

describe('reading the state of a stopped daemon', () => {
  it('finds committed rows, and leaves no files', () => {
    const folder = filledFolder();
    const opened = openReadOnlyDatabase(folder, [noteTables]);
    expect(opened.ok && opened.value.find({ table: 'notes' })).toEqual([{ id: '1', text: 'a', rank: null }]);
    if (opened.ok) opened.value.close();
    expect(readdirSync(folder)).toEqual(['state.db']);
  });

  it('finds rows that are only in the write-ahead log, as after a crash', () => {
    const folder = filledFolder();
    const file = openStateFile(folder, { steps: [noteTables] });
    if (!file.ok) throw new Error(file.error.message);
    file.value.database.commit([[note('2', 'b')]]);
    // The files of an open database are the same as after a crash.
    const crashed = temporaryStateDir();
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(crashed, name));
    file.value.database.close();
    const opened = openReadOnlyDatabase(crashed, [noteTables]);
    expect(opened.ok && opened.value.count({ table: 'notes' })).toBe(2);
  });

  it('rejects writes', () => {
    const opened = openReadOnlyDatabase(filledFolder(), [noteTables]);
    expect(() => opened.ok && opened.value.commit([[note('2', 'b')]])).toThrow(/readonly/);
  });

  it.each<[string, (folder: string) => void, RegExp]>([
    ['there is none', () => undefined, /^cannot read '.+state\.db': no such file$/],
    ['not a database', (folder) => writeFileSync(stateFilePath(folder), 'x'.repeat(5000)), /not a database$/],
    ['it is a folder', (folder) => mkdirSync(stateFilePath(folder)), /the disk could not be read or written$/],
    [
      'it is empty',
      (folder) => writeFileSync(stateFilePath(folder), ''),
      /has version 0, and this program reads only version 1/,
    ],
  ])('returns an error when %s', (_, prepare, sentence) => {
    const folder = temporaryStateDir();
    prepare(folder);
    expect(openReadOnlyDatabase(folder, [noteTables])).toEqual({ ok: false, error: expect.stringMatching(sentence) });
  });

  it('rejects another version', () => {
    expect(openReadOnlyDatabase(filledFolder(), [noteTables, []])).toMatchObject({ ok: false });
  });
});
