import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { json, plain, tables, time, words } from '../../../src/guard/keeping/columns.ts';
import { memoryStore } from '../../../src/runtime/store/memory-store.ts';

describe('the tables of the guard', () => {
  it.each(Object.values(tables))('%s is there', async (table) => {
    expect(await memoryStore().find({ table })).toEqual({ ok: true, value: [] });
  });
});

describe('what people typed', () => {
  it('is always words again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 50 }), (text, most) => {
        expect(words(most).safeParse(plain(text, most)).success).toBe(true);
      }),
    );
  });

  it.each(['a\u001B[2J', 'a\nb', '\u0085', 'x'.repeat(11)])('is not %j', (text) => {
    expect(words(10).safeParse(text).success).toBe(false);
  });
});

describe('a column of JSON', () => {
  const column = json(z.object({ count: z.int() }));

  it('is read', () => {
    expect(column.parse('{"count":3,"more":[]}')).toEqual({ count: 3 });
  });

  it.each(['', '{', 'null', '{"count":"3"}', '[]', 7, null])('is not %j', (cell) => {
    expect(column.safeParse(cell).success).toBe(false);
  });
});

describe('a time', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.65e15, '0', null])('is not %s', (value) => {
    expect(time.safeParse(value).success).toBe(false);
  });

  it('can always be written as a date', () => {
    for (const most of [-8.64e15, 8.64e15]) expect(() => new Date(time.parse(most)).toISOString()).not.toThrow();
  });
});
