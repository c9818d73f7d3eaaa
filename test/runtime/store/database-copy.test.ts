import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../src/runtime/store/database.ts';
import { type CopyPoint, copyDatabase } from '../../../src/runtime/store/database-copy.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { note, noteTables } from './notes.ts';
import { temporaryStateDir } from './temporary-folder.ts';

function filled(): Database {
  const database = openInMemoryDatabase([noteTables]);
  onTestFinished(() => database.close());
  database.run('PRAGMA application_id = 7');
  database.commit([[note('1', 'a'), note('2', 'b')]]);
  return database;
}

describe('a copy of a database', () => {
  it('has its rows, its version and its mark, for the owner alone', () => {
    const folder = temporaryStateDir();
    const path = join(folder, "it's a copy");
    copyDatabase(filled(), path);
    const copy = new Database(new DatabaseSync(path));
    onTestFinished(() => copy.close());
    expect(copy.count({ table: 'notes' })).toBe(2);
    expect([copy.number('PRAGMA user_version'), copy.number('PRAGMA application_id')]).toEqual([1, 7]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["it's a copy"]);
  });

  it('replaces an older one, and an unfinished one that is a link elsewhere', () => {
    const folder = temporaryStateDir();
    writeFileSync(join(folder, 'victim'), 'precious');
    writeFileSync(join(folder, 'copy'), 'older');
    symlinkSync('victim', join(folder, 'copy.unfinished'));
    copyDatabase(filled(), join(folder, 'copy'));
    expect(statSync(join(folder, 'victim')).size).toBe('precious'.length);
    expect(statSync(join(folder, 'copy')).size).toBeGreaterThan(4000);
  });

  it('that fails leaves no files', () => {
    const folder = temporaryStateDir();
    mkdirSync(join(folder, 'copy'));
    expect(() => copyDatabase(filled(), join(folder, 'copy'))).toThrow('EISDIR');
    expect(readdirSync(folder)).toEqual(['copy']);
    expect(() => copyDatabase(filled(), join(folder, 'nowhere', 'copy'))).toThrow(/unable to open/);
  });

  it.each<[string, (path: string) => void, string]>([
    ['damaged', (path) => writeFileSync(path, 'x'.repeat(8192)), 'the copy is damaged: not a database'],
    ['of another version', setVersion, 'the copy has another schema version'],
  ])('that is %s on the disk is removed', (_, spoil, reason) => {
    const folder = temporaryStateDir();
    const reached = (point: CopyPoint): void => {
      if (point === 'rows copied') spoil(join(folder, 'copy.unfinished'));
    };
    expect(() => copyDatabase(filled(), join(folder, 'copy'), reached)).toThrow(reason);
    expect(readdirSync(folder)).toEqual([]);
  });
});

function setVersion(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 9');
  database.close();
}
