import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  countField,
  doneSchema,
  labelsField,
  maxPageSize,
  nameField,
  pageSchema,
  problemSchema,
  textField,
  timestampField,
  toJsonSchema,
} from '../../src/api/fields.ts';

const even = z.int().multipleOf(2);

describe('page', () => {
  const page = { items: [2, 4], total: 9, limit: 2, offset: 0 };

  it('accepts items of its schema, and ignores unknown fields', () => {
    expect(pageSchema(even).parse({ ...page, more: 1 })).toEqual(page);
  });

  it.each([
    [null],
    [{}],
    [{ ...page, items: 'many' }],
    [{ ...page, total: '0' }],
    [{ ...page, total: Number.NaN }],
    [{ ...page, total: -1 }],
    [{ ...page, items: [2, 3] }],
    [{ items: [], total: 0 }],
  ])('rejects %j', (answer) => {
    expect(pageSchema(even).safeParse(answer).success).toBe(false);
  });

  it('rejects more items than a page may have', () => {
    const items = Array.from({ length: maxPageSize + 1 }, () => 2);
    expect(pageSchema(even).safeParse({ ...page, items }).success).toBe(false);
  });
});

describe('field', () => {
  it.each([
    ['name', nameField, 'm1', 'm'.repeat(4097)],
    ['text', textField, 'new disks', 'd'.repeat(65_537)],
    ['labels', labelsField, { node: 'm1' }, { node: 7 }],
    ['count', countField, 7, -1],
    ['count', countField, 0, 0.5],
    ['timestamp', timestampField, '2026-01-31T12:00:00.000Z', 'soon'],
    ['timestamp', timestampField, '2026-01-31T12:00:00Z', '2026-01-31T12:00:00'],
  ])('%s accepts a valid value and rejects an invalid one (case %$)', (_, schema, valid, invalid) => {
    expect(schema.safeParse(valid).success).toBe(true);
    expect(schema.safeParse(invalid).success).toBe(false);
  });

  it('of a done action is true', () => {
    expect(doneSchema('ended').safeParse({ ended: true }).success).toBe(true);
    expect(doneSchema('ended').safeParse({ ended: false }).success).toBe(false);
  });
});

describe('problem', () => {
  const problem = { type: 'about:blank', title: 'Not found', status: 404, detail: 'It does not exist.' };

  it('is valid with and without a list of problems', () => {
    const where = { file: 'graphwarden.yml', line: 3, column: 1, path: 'listenn', message: 'unknown key' };
    expect(problemSchema.parse(problem)).toEqual(problem);
    expect(problemSchema.parse({ ...problem, problems: [where] }).problems).toEqual([where]);
  });

  it.each([{ status: 200 }, { detail: undefined }, { problems: 'many' }])('rejects %j', (wrong) => {
    expect(problemSchema.safeParse({ ...problem, ...wrong }).success).toBe(false);
  });
});

describe('JSON Schema', () => {
  it('references objects with an id', () => {
    const thing = z.object({ at: timestampField.describe('Time.') }).meta({ id: 'TestThing', description: 'Thing.' });
    expect(toJsonSchema(z.object({ things: z.array(thing).max(5).readonly() }))).toEqual({
      type: 'object',
      required: ['things'],
      properties: { things: { type: 'array', maxItems: 5, items: { $ref: '#/$defs/TestThing' } } },
      $defs: {
        TestThing: {
          type: 'object',
          description: 'Thing.',
          required: ['at'],
          properties: { at: { type: 'string', format: 'date-time', description: 'Time.' } },
        },
      },
    });
  });

  it('has no bound that only repeats the range of a number', () => {
    expect(toJsonSchema(countField)).toEqual({ type: 'integer', minimum: 0 });
  });
});
