import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Damaged, Gone, isHeld, isOfTheDisk, isUnreadable, sentenceOf } from '../../../src/runtime/store/trouble.ts';

function ofSqlite(errcode: number): Error {
  return Object.assign(new Error('said by SQLite'), { errcode, code: 'ERR_SQLITE_ERROR' });
}

function ofSystem(code: string): Error {
  return Object.assign(new Error(`${code}: said by the system`), { code });
}

describe('trouble', () => {
  it.each([
    [13, 'the disk is full'],
    [8, 'it cannot be written'],
    [1032, 'it cannot be written'],
    [10, 'the disk could not be read or written'],
    [778, 'the disk could not be read or written'],
    [14, 'it cannot be opened'],
    [11, 'the database is damaged'],
    [26, 'it is no database'],
    [5, 'another program holds the database'],
    [7, 'said by SQLite'],
  ])('%i of SQLite is of the disk: %s', (code, sentence) => {
    expect(isOfTheDisk(ofSqlite(code))).toBe(true);
    expect(sentenceOf(ofSqlite(code))).toBe(sentence);
  });

  it.each([1, 19, 20, 25, 1299])('%i of SQLite is of a batch', (code) => {
    expect(isOfTheDisk(ofSqlite(code))).toBe(false);
    expect(sentenceOf(ofSqlite(code))).toBe('said by SQLite');
  });

  it.each([
    ['EACCES', 'permission denied'],
    ['ENOTDIR', 'a part of the path is no folder'],
    ['EROFS', 'the file system is read-only'],
    ['ENOSPC', 'the disk is full'],
  ])('%s of the system is of the disk', (code, sentence) => {
    expect(isOfTheDisk(ofSystem(code))).toBe(true);
    expect(sentenceOf(ofSystem(code))).toBe(sentence);
  });

  it('of a batch may be any error', () => {
    for (const error of [new TypeError('no'), 'no', undefined]) expect(isOfTheDisk(error)).toBe(false);
    expect(sentenceOf('no')).toBe('no');
    expect(sentenceOf(new TypeError('not so'))).toBe('not so');
  });

  it('tells files that are of no use from those that others hold', () => {
    expect([11, 26, 267, 5, 10].map((code) => isUnreadable(ofSqlite(code)))).toEqual([true, true, true, false, false]);
    expect([5, 6, 261, 11].map((code) => isHeld(ofSqlite(code)))).toEqual([true, true, true, false]);
    expect(isUnreadable(new Damaged('row 3 is missing'))).toBe(true);
    expect(isOfTheDisk(new Gone('it was deleted'))).toBe(true);
    expect(isUnreadable(new Gone('it was deleted'))).toBe(false);
  });

  it('is what SQLite really throws', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b)');
    database.exec('PRAGMA max_page_count = 2');
    const insert = database.prepare('INSERT INTO t (b) VALUES (?)');
    expect(troubleOf(() => insert.run('x'.repeat(50_000)))).toBe('the disk is full');
    expect(troubleOf(() => new DatabaseSync('/nowhere/at/all.db'))).toBe('it cannot be opened');
  });
});

function troubleOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return isOfTheDisk(error) ? sentenceOf(error) : 'of a batch';
  }
}
