import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  DatabaseDamaged,
  DatabaseMissing,
  isDatabaseLocked,
  isDiskError,
  isUnreadableDatabase,
  messageOf,
} from '../../../src/runtime/store/sqlite-errors.ts';

function ofSqlite(errcode: number): Error {
  return Object.assign(new Error('said by SQLite'), { errcode, code: 'ERR_SQLITE_ERROR' });
}

function ofSystem(code: string): Error {
  return Object.assign(new Error(`${code}: said by the system`), { code });
}

describe('an error', () => {
  it.each([
    [13, 'the disk is full'],
    [8, 'the database is read-only'],
    [1032, 'the database is read-only'],
    [10, 'the disk could not be read or written'],
    [778, 'the disk could not be read or written'],
    [14, 'the database cannot be opened'],
    [11, 'the database is damaged'],
    [26, 'not a database'],
    [5, 'another program has locked the database'],
    [7, 'said by SQLite'],
  ])('%i of SQLite is a disk error: %s', (code, sentence) => {
    expect(isDiskError(ofSqlite(code))).toBe(true);
    expect(messageOf(ofSqlite(code))).toBe(sentence);
  });

  it.each([1, 19, 20, 25, 1299])('%i of SQLite is an error of a batch', (code) => {
    expect(isDiskError(ofSqlite(code))).toBe(false);
    expect(messageOf(ofSqlite(code))).toBe('said by SQLite');
  });

  it.each([
    ['EACCES', 'permission denied'],
    ['ENOTDIR', 'a part of the path is not a directory'],
    ['EROFS', 'the file system is read-only'],
    ['ENOSPC', 'the disk is full'],
  ])('%s of the system is a disk error', (code, sentence) => {
    expect(isDiskError(ofSystem(code))).toBe(true);
    expect(messageOf(ofSystem(code))).toBe(sentence);
  });

  it('of any other kind is an error of a batch', () => {
    for (const error of [new TypeError('no'), 'no', undefined]) expect(isDiskError(error)).toBe(false);
    expect(messageOf('no')).toBe('no');
    expect(messageOf(new TypeError('not so'))).toBe('not so');
  });

  it('distinguishes unreadable files from files that another process has locked', () => {
    expect([11, 26, 267, 5, 10].map((code) => isUnreadableDatabase(ofSqlite(code)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect([5, 6, 261, 11].map((code) => isDatabaseLocked(ofSqlite(code)))).toEqual([true, true, true, false]);
    expect(isUnreadableDatabase(new DatabaseDamaged('row 3 is missing'))).toBe(true);
    expect(isDiskError(new DatabaseMissing('it was deleted'))).toBe(true);
    expect(isUnreadableDatabase(new DatabaseMissing('it was deleted'))).toBe(false);
  });

  it('has the form that SQLite throws', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b)');
    database.exec('PRAGMA max_page_count = 2');
    const insert = database.prepare('INSERT INTO t (b) VALUES (?)');
    expect(troubleOf(() => insert.run('x'.repeat(50_000)))).toBe('the disk is full');
    expect(troubleOf(() => new DatabaseSync('/nowhere/at/all.db'))).toBe('the database cannot be opened');
  });
});

function troubleOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return isDiskError(error) ? messageOf(error) : 'of a batch';
  }
}
