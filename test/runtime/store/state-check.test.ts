import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { checkDatabaseFile, unusableReason } from '../../../src/runtime/store/state-check.ts';
import { stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { folderOfVersion, keptVersions, openFolder } from './kept-versions.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const now = Date.UTC(2026, 11, 1);

function check(path: string) {
  return checkDatabaseFile(path, { steps: migrations, now });
}

/** Returns the path of a database of the current version, after statements of a person or of an attacker. */
function databaseAfter(...statements: readonly string[]): string {
  const folder = folderOfVersion(7);
  openFolder(folder, { steps: migrations, program: '1.2.3' }).close();
  const database = new DatabaseSync(stateFilePath(folder), { defensive: false });
  for (const statement of statements) database.exec(statement);
  database.close();
  return stateFilePath(folder);
}

/** Statements that put a text into the schema that SQLite never wrote there. */
function schemaText(type: string, name: string, sql: string): readonly string[] {
  return [
    'PRAGMA writable_schema = ON',
    `INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('${type}', '${name}', 'silences', 0, '${sql.replaceAll("'", "''")}')`,
  ];
}

describe('the check of a state database', () => {
  it('reports checks, release and rows, and does not change the file', () => {
    const path = databaseAfter();
    const before = readFileSync(path);
    const report = check(path);
    expect(report).toMatchObject({
      file: path,
      bytes: before.length,
      schemaVersion: migrations.length,
      supportedVersion: migrations.length,
      program: '1.2.3',
    });
    expect(report.checks.map(({ name, result }) => `${name} ${result}`)).toEqual([
      'file ok',
      'program ok',
      'schema ok',
      'integrity ok',
      'bounds ok',
    ]);
    const transitions = report.tables.find(({ name }) => name === 'transitions');
    expect(transitions?.newest).toBeGreaterThanOrEqual(transitions?.oldest ?? Number.NaN);
    expect(report.tables.find(({ name }) => name === 'silences')).toEqual({ name: 'silences', rows: 2 });
    expect(unusableReason(report)).toBeUndefined();
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(path, '..')).toSorted()).toEqual(['state.db', 'state.db.version-7.backup']);
  });

  it.each(keptVersions)('accepts a database of version %d, which the daemon migrates', (version) => {
    const report = check(stateFilePath(folderOfVersion(version)));
    expect(report.checks.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect(report.checks[2]?.detail).toBe(`version ${version}, which the daemon migrates to ${migrations.length}`);
  });

  it.each<[string, (bytes: Buffer) => Buffer, string, string | RegExp]>([
    ['is empty', () => Buffer.alloc(0), 'file', 'the file is empty'],
    ['is text', () => Buffer.from('not a database\n'.repeat(999)), 'file', 'not an SQLite database'],
    ['is shorter than a header', (bytes) => bytes.subarray(0, 40), 'file', 'truncated: 40 bytes'],
    ['is truncated', (bytes) => bytes.subarray(0, 40_960), 'file', /^truncated: 40960 of \d+ bytes$/],
    ['has noise in its midst', (bytes) => Buffer.from(bytes).fill('noise', 40_960, 90_000), 'integrity', /damaged/],
    ['has a broken header', (bytes) => Buffer.from(bytes).fill(255, 20, 24), 'integrity', 'not a database'],
  ])('fails for a file that %s', (_, spoil, name, detail) => {
    const path = databaseAfter();
    writeFileSync(path, spoil(readFileSync(path)));
    const report = check(path);
    expect(report.tables).toEqual([]);
    expect(report.checks.at(-1)).toEqual({
      name,
      result: 'failed',
      detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    });
    expect(unusableReason(report)).toBe(report.checks.at(-1)?.detail);
  });

  it.each<[string, readonly string[], string, RegExp]>([
    ['of another program', ['PRAGMA application_id = 7'], 'program', /^a database of another program$/],
    ['without tables', ['PRAGMA user_version = 0'], 'schema', /^there is no schema version 0$/],
    ['of a negative version', ['PRAGMA user_version = -3'], 'schema', /^there is no schema version -3$/],
    ['of a newer release', ['PRAGMA user_version = 99'], 'schema', /^schema version 99 of a newer release; this one/],
    ['without a column', ['ALTER TABLE silences DROP COLUMN author'], 'schema', /but without silences\.author$/],
    ['without a trigger', ['DROP TRIGGER guard_intents_bar'], 'schema', /but without trigger guard_intents_bar$/],
    ['with another table', ['CREATE TABLE other (a TEXT)'], 'schema', /but with an unknown other\.a$/],
    [
      'with a trigger that deletes rows',
      ['CREATE TRIGGER bad AFTER INSERT ON silences BEGIN DELETE FROM guard_standing; END'],
      'schema',
      /but with an unknown trigger bad$/,
    ],
    [
      'with another text of a trigger',
      [
        'DROP TRIGGER guard_actions_stay',
        'CREATE TRIGGER guard_actions_stay AFTER UPDATE ON guard_actions BEGIN SELECT 1; END',
      ],
      'schema',
      /but without trigger guard_actions_stay$/,
    ],
    [
      'with a number that JavaScript cannot read',
      ["INSERT INTO counters (name, value) VALUES ('x', 9223372036854775807)"],
      'bounds',
      /^counters: 1 rows have a value that is too large$/,
    ],
    [
      'with a text of 17 MB',
      ["INSERT INTO silences VALUES ('x', '[]', 1, 1, 'alice', printf('%.17000000c', 'z'))"],
      'bounds',
      /^silences: 1 rows have a value that is too large$/,
    ],
  ])('fails for a database %s', (_, statements, name, detail) => {
    const report = check(databaseAfter(...statements));
    expect(report.checks.at(-1)).toEqual({ name, result: 'failed', detail: expect.stringMatching(detail) });
    expect(report.tables).toEqual([]);
  });

  it('runs no statement of a file', () => {
    const victim = join(temporaryStateDir(), 'victim');
    const sql = `CREATE TABLE silences_2 (a); ATTACH DATABASE '${victim}' AS victim; CREATE TABLE victim.pwned (a)`;
    const report = check(databaseAfter(...schemaText('table', 'silences_2', sql)));
    expect(report.checks.at(-1)?.result).toBe('failed');
    expect(statSync(victim, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('warns of rows in the future', () => {
    const at = now + 48 * 3_600_000;
    const insert = `INSERT INTO guard_actions VALUES ('u', ${at}, 'pause', 'local', '', '', '')`;
    const report = check(databaseAfter(insert));
    expect(report.checks.at(-1)).toEqual({
      name: 'bounds',
      result: 'warning',
      detail: 'guard_actions: the newest row is in the future',
    });
    expect(unusableReason(report)).toBeUndefined();
    expect(report.tables.length).toBeGreaterThan(5);
  });

  it('reports a file that cannot be opened', () => {
    const folder = temporaryStateDir();
    mkdirSync(stateFilePath(folder));
    expect(() => check(stateFilePath(folder))).toThrow(`cannot read '${stateFilePath(folder)}': it is a directory`);
  });
});
