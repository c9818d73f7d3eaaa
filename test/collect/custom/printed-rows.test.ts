import { describe, expect, it } from 'vitest';
import { kindOf, Mismatch, quoted, requireMatch, rowsAt } from '../../../src/collect/custom/printed-rows.ts';
import { parseValuePath, type ValuePath } from '../../../src/collect/custom/value-path.ts';

function pathOf(text: string): ValuePath {
  const path = parseValuePath(text);
  if (!path.ok) throw new Error(path.error);
  return path.value;
}

function rows(text: string | undefined, results: unknown, names = false) {
  return rowsAt(text === undefined ? undefined : pathOf(text), results, names).rows;
}

const printed = [{ outliers: [{ d: 1 }, { d: 2 }], '@@by_type': { A: 1, B: { n: 2 } }, total: 7 }];

describe('rowsAt', () => {
  it.each([
    [undefined, [printed[0]]],
    ['0', [printed[0]]],
    ['0.outliers', [{ d: 1 }, { d: 2 }]],
    ['0.outliers.1', [{ d: 2 }]],
    [
      '0.@@by_type.*',
      [
        { key: 'A', value: 1 },
        { key: 'B', value: { n: 2 } },
      ],
    ],
  ])('of %s returns its rows', (text, expected) => {
    expect(rows(text, printed)).toEqual(expected);
  });

  it.each([
    [
      '0.outlier',
      printed,
      'rows: `0.outlier` does not match: "0" has no member "outlier"; it has "outliers", "@@by_type", "total"',
    ],
    [
      'outliers',
      printed,
      'rows: `outliers` does not match: the value is a list, whose elements have numbers; write for example 0.outliers',
    ],
    ['3.x', printed, 'rows: `3.x` does not match: the value is a list of 1, without the element 3'],
    ['0.total.x', printed, 'rows: `0.total.x` does not match: "0.total" is a number, which has no member "x"'],
    ['0.total', printed, 'rows: `0.total` is a number, not a list or an object; remove the last step'],
    ['0.outliers.*', printed, 'rows: the `*` of `0.outliers.*` follows a list; a list needs no `*`'],
    ['0.total.*', printed, 'rows: the `*` of `0.total.*` follows a number; the step before it must lead to an object'],
    ['0', [[1]], 'rows: row 0 is a number, not an object; print rows with named members'],
    ['0', [[{}, [1]]], 'rows: row 1 is a list, not an object; print rows with named members'],
    ['0.x', [{}], 'rows: `0.x` does not match: "0" has no member "x"; it has no members'],
    [undefined, [], 'rows: the query prints nothing; add a PRINT statement to it'],
    [undefined, ['secret'], 'rows: the first printed value is a text, not a list or an object; remove the last step'],
  ])('of %s returns the mismatch (case %$)', (text, results, message) => {
    expect(() => rows(text, results, true)).toThrow(new Mismatch(message));
  });

  it('lists a few members only, and no member without permission', () => {
    const many = [Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`m${at}${'x'.repeat(100)}`, at]))];
    expect(() => rows('0.y', many, true)).toThrow(/"m0x{38}", .*"m7x{38}" and 12 more$/);
    expect(() => rows('0.y', many)).toThrow(/has no member "y"; `graphwarden custom try` lists its members$/);
  });
});

describe('requireMatch', () => {
  it('accepts a path that one of the rows has, and no rows', () => {
    expect(() => requireMatch('value', pathOf('d'), { rows: [{}, { d: 1 }], names: true })).not.toThrow();
    expect(() => requireMatch('value', pathOf('d'), { rows: [], names: true })).not.toThrow();
  });

  it('names the step that no row has', () => {
    expect(() => requireMatch('value', pathOf('a.b'), { rows: [{ a: { c: 1 } }], names: true })).toThrow(
      new Mismatch('value: `a.b` matches no row: "a" has no member "b"; it has "c"'),
    );
  });
});

it('kindOf and quoted show no value', () => {
  expect([null, undefined, [], {}, 'x', 1, true].map(kindOf)).toEqual([
    'null',
    'null',
    'a list',
    'an object',
    'a text',
    'a number',
    'true or false',
  ]);
  expect(quoted(pathOf('a.b'))).toBe('`a.b`');
});
