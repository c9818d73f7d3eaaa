import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { amount, digits, entry, inner, ordinal, text, verdict } from '../../src/graphdb/shapes.ts';

/** What a schema makes of a value; `odd` where it refuses. */
function reads(schema: z.ZodType): (value: unknown) => unknown {
  const read = entry(z.object({ value: schema }));
  return (value) => {
    const result = read(value === undefined ? {} : { value });
    return result === undefined ? 'odd' : result.value;
  };
}

describe('a number', () => {
  it.each([
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
  ])('%j is %j', (value, expected) => {
    expect(reads(amount)(value)).toBe(expected);
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
    expect(reads(text)(value)).toBe(expected);
  });

  it.each([
    [undefined, ''],
    [0, ''],
    ['0', ''],
    [2, '2'],
    ['3', '3'],
  ])('the ordinal %j is %j', (value, expected) => {
    expect(reads(ordinal)(value)).toBe(expected);
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
    expect(reads(digits)(value)).toBe(expected);
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
    expect(reads(verdict)(value)).toBe(expected);
  });
});

describe('an inner object', () => {
  const cpu = inner({ CPUUsage: amount });
  it.each([undefined, null, {}])('%j has its defaults', (value) => {
    expect(reads(cpu)(value)).toEqual({ CPUUsage: 0 });
  });
  it('has what it has, and forgets what nobody asked for', () => {
    expect(reads(cpu)({ CPUUsage: 2, More: 1 })).toEqual({ CPUUsage: 2 });
  });
  it('is odd where it is no object', () => {
    expect(reads(cpu)('text')).toBe('odd');
  });
});
