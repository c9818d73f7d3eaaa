import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonColumn, shortText, tables, timestamp, toSingleLine } from '../../../src/guard/storage/columns.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('guard tables', () => {
  it.each(Object.values(tables))('%s exists', async (table) => {
    expect(await memoryStore().find({ table })).toEqual({ ok: true, value: [] });
  });
});

describe('operator input', () => {
  it('is always valid text after storage', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat({ max: 50 }), (text, most) => {
        expect(shortText(most).safeParse(toSingleLine(text, most)).success).toBe(true);
      }),
    );
  });

  it.each(['a\u001B[2J', 'a\nb', '\u0085', 'x'.repeat(11)])('does not keep %j unchanged', (text) => {
    expect(shortText(10).safeParse(text).success).toBe(false);
  });
});

describe('JSON column', () => {
  const column = jsonColumn(z.object({ count: z.int() }));

  it('returns the parsed value', () => {
    expect(column.parse('{"count":3,"more":[]}')).toEqual({ count: 3 });
  });

  it.each(['', '{', 'null', '{"count":"3"}', '[]', 7, null])('rejects %j', (cell) => {
    expect(column.safeParse(cell).success).toBe(false);
  });
});

describe('timestamp', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.65e15, '0', null])('rejects %s', (value) => {
    expect(timestamp.safeParse(value).success).toBe(false);
  });

  it('is always a valid date', () => {
    for (const most of [-8.64e15, 8.64e15]) expect(() => new Date(timestamp.parse(most)).toISOString()).not.toThrow();
  });
});
