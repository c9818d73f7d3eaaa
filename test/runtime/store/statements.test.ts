import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeStatement,
  countStatement,
  findStatement,
  quoteIdentifier,
} from '../../../src/runtime/store/statements.ts';

describe('a statement', () => {
  it('puts a row', () => {
    expect(changeStatement({ table: 'notes', put: { id: '1', rank: null } })).toEqual({
      sql: 'INSERT OR REPLACE INTO "notes" ("id", "rank") VALUES (?, ?)',
      values: ['1', null],
    });
  });

  it('drops the rows that have these values, NULL among them', () => {
    expect(changeStatement({ table: 'notes', drop: { id: '1', rank: null } })).toEqual({
      sql: 'DELETE FROM "notes" WHERE "id" IS ? AND "rank" IS ?',
      values: ['1', null],
    });
    expect(changeStatement({ table: 'notes', drop: {} }).sql).toBe('DELETE FROM "notes"');
  });

  it('finds with conditions, order and a page', () => {
    const where = [
      { column: 'at', is: '>=', value: 5 },
      { column: 'text', is: '=', value: 'x' },
    ] as const;
    expect(findStatement({ table: 'notes', where, order: ['-at', 'id'], limit: 10, offset: 20 })).toEqual({
      sql: 'SELECT * FROM "notes" WHERE "at" >= ? AND "text" IS ? ORDER BY "at" DESC, "id" LIMIT ? OFFSET ?',
      values: [5, 'x', 10, 20],
    });
  });

  it.each([
    [{ table: 'notes' }, [], ''],
    [{ table: 'notes', limit: 3 }, [3, 0], ' LIMIT ? OFFSET ?'],
    [{ table: 'notes', offset: 3 }, [-1, 3], ' LIMIT ? OFFSET ?'],
  ])('accepts %j', (query, values, page) => {
    expect(findStatement(query)).toEqual({ sql: `SELECT * FROM "notes"${page}`, values });
  });

  it('counts without the page', () => {
    const where = [{ column: 'at', is: '<', value: 5 }] as const;
    expect(countStatement({ table: 'notes', where, limit: 1, offset: 2, order: ['at'] })).toEqual({
      sql: 'SELECT count(*) AS "rows" FROM "notes" WHERE "at" < ?',
      values: [5],
    });
  });

  it('rejects identifiers that are not names', () => {
    expect(quoteIdentifier('from')).toBe('"from"');
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (/^[a-z][a-z0-9_]*$/i.test(text)) expect(quoteIdentifier(text)).toBe(`"${text}"`);
        else expect(() => quoteIdentifier(text)).toThrow(TypeError);
      }),
    );
    expect(() => findStatement({ table: 'notes', order: ['a"; DROP TABLE notes; --'] })).toThrow(
      'is not a valid table',
    );
    expect(() => changeStatement({ table: 'notes', put: { '"': 1 } })).toThrow('is not a valid table');
  });
});
