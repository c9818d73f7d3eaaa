import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  booleanSchema,
  int64Text,
  numberOrZero,
  objectOrEmpty,
  parserOf,
  partitionText,
  textOrEmpty,
} from '../../src/graphdb/reply-schemas.ts';
import { shortJson } from '../support/case-titles.ts';

/** Returns the parsed value of a schema; `odd` if the schema rejects it. */
function reads(schema: z.ZodType): (value: unknown) => unknown {
  const read = parserOf(z.object({ value: schema }));
  return (value) => {
    const result = read(value === undefined ? {} : { value });
    return result === undefined ? 'odd' : result.value;
  };
}

describe('a number', () => {
  it.each(
    [
      [undefined, 0],
      [null, 0],
      [0, 0],
      [3.1174, 3.1174],
      [-1, -1],
      ['12', 12],
      ['1.5e3', 1500],
      ['1e999', 'odd'],
      ['9'.repeat(400), 'odd'],
      [Number.POSITIVE_INFINITY, 'odd'],
      ['', 'odd'],
      ['many', 'odd'],
      [true, 'odd'],
      [[], 'odd'],
    ].map(([value, expected]) => [shortJson(value), expected, value]),
  )('%s is %j', (_, expected, value) => {
    expect(reads(numberOrZero)(value)).toBe(expected);
  });
});

describe('a text', () => {
  it.each([
    [undefined, ''],
    [null, ''],
    ['GPE', 'GPE'],
    [1, '1'],
    [{}, 'odd'],
  ])('%j is %j', (value, expected) => {
    expect(reads(textOrEmpty)(value)).toBe(expected);
  });

  it.each([
    [undefined, ''],
    [0, ''],
    ['0', ''],
    [2, '2'],
    ['3', '3'],
  ])('the ordinal %j is %j', (value, expected) => {
    expect(reads(partitionText)(value)).toBe(expected);
  });
});

describe('an int64', () => {
  it.each([
    [undefined, ''],
    ['1790000000019463773', '1790000000019463773'],
    [89, '89'],
    ['-1', '-1'],
    ['1.5', 'odd'],
    [1.5, 'odd'],
    ['9'.repeat(30), 'odd'],
  ])('%j is %j', (value, expected) => {
    expect(reads(int64Text)(value)).toBe(expected);
  });
});

describe('a verdict', () => {
  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [undefined, 'odd'],
    [1, 'odd'],
  ])('%j is %j', (value, expected) => {
    expect(reads(booleanSchema)(value)).toBe(expected);
  });
});

describe('an inner object', () => {
  const cpu = objectOrEmpty({ CPUUsage: numberOrZero });
  it.each([undefined, null, {}])('%j has its defaults', (value) => {
    expect(reads(cpu)(value)).toEqual({ CPUUsage: 0 });
  });
  it('keeps known members and drops unknown ones', () => {
    expect(reads(cpu)({ CPUUsage: 2, More: 1 })).toEqual({ CPUUsage: 2 });
  });
  it('is invalid if it is not an object', () => {
    expect(reads(cpu)('text')).toBe('odd');
  });
});
