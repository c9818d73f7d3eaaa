import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalSeries,
  classifySyntax,
  familyType,
  parseMetadata,
  parseSeries,
  parseValue,
  seriesEnd,
} from '../../src/graphdb/exposition-syntax.ts';

describe('the end of a series', () => {
  it.each([
    ['a 1', 1],
    ['a{x="1"} 1', 8],
    ['a{x="}"} 1', 8],
    ['a{x="\\"}"} 1', 10],
    ['a \t{x="1"} 1', 10],
    ['a', 1],
    ['a{x="1"', -1],
    ['a{x="1} 1', -1],
    ['a{x="1\\', -1],
  ])('of %s is at %d', (text, end) => {
    expect(seriesEnd(text, 0, text.length)).toBe(end);
  });

  it('is searched within the line', () => {
    expect(seriesEnd('a{x="1\n"} 1', 0, 6)).toBe(-1);
    expect(seriesEnd('zz a{x="1"} 1', 3, 13)).toBe(11);
  });
});

describe('spelling of a series', () => {
  it.each([
    ['a', 'ordered'],
    ['a:b_1', 'ordered'],
    ['a{x="1"}', 'ordered'],
    ['a{x="1",y="\\\\ \\" \\n"}', 'ordered'],
    ['a{y="1",x="2"}', 'clean'],
    ['a{x=""}', 'clean'],
    ['a{x="1",x="1"}', 'clean'],
    ['a{__name__="b"}', 'clean'],
    ['a{}', 'odd'],
    ['a{', 'odd'],
    ['a{x="1",}', 'odd'],
    ['a{ x="1"}', 'odd'],
    ['a {x="1"}', 'odd'],
    ['a{x="\\d"}', 'odd'],
    ['a{x="\0"}', 'ordered'],
    ['a{x="1"}}', 'odd'],
    ['1a', 'odd'],
    ['', 'odd'],
  ])('%s is %s', (text, writing) => {
    expect(classifySyntax(text)).toBe(writing);
  });

  it('is its identity if its labels are ordered', () => {
    const piece = fc.constantFrom('x', 'y', '=', '"', ',', '1', '{', '}', '\\', 'n', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = `a{${pieces.join('')}}`;
        if (classifySyntax(text) !== 'ordered') return;
        const read = parseSeries(text);
        expect(read && canonicalSeries(read)).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an identity', () => {
  it.each([
    ['a', 'a'],
    ['a{}', 'a'],
    ['a{x=""}', 'a'],
    ['a{y="1", x="2",}', 'a{x="2",y="1"}'],
    ['a{x="\\d\\n"}', 'a{x="\\\\d\\n"}'],
  ])('of %s is %s', (text, identity) => {
    const read = parseSeries(text);
    expect(read && canonicalSeries(read)).toBe(identity);
  });
});

describe('a value', () => {
  it.each([
    [' 12.5', '12.5'],
    ['\t-1e-3 1790000000', '-1e-3'],
    [' 5 # {a="b"} 1', '5'],
    [' ', undefined],
    [' 1 x', undefined],
    [' 1 # ', '1'],
    [' 1 5 # x', '1'],
    [' 1 5 x', undefined],
    [' 12a', undefined],
  ])('%j is %s', (text, value) => {
    expect(parseValue(text, 0, text.length)).toBe(value);
  });

  it('is the written number', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        const text = ` ${value}`;
        expect(Number(parseValue(text, 0, text.length))).toBe(value === 0 ? Number(text) : value);
      }),
    );
  });
});

describe('metadata', () => {
  it.each([
    ['# HELP a One \\\\ two\\nthree', { kind: 'HELP', name: 'a', text: 'One \\ two\nthree' }],
    ['# HELP a', { kind: 'HELP', name: 'a', text: '' }],
    ['#\tTYPE  a  gauge ', { kind: 'TYPE', name: 'a', text: 'gauge' }],
    ['# UNIT a_seconds seconds', { kind: 'UNIT', name: 'a_seconds', text: 'seconds' }],
    ['# EOF', { kind: 'EOF', name: '', text: '' }],
    ['# Nothing', undefined],
    ['# HELP 1a x', undefined],
    ['#', undefined],
  ])('%s', (line, metadata) => {
    expect(parseMetadata(line)).toEqual(metadata);
  });

  it('returns types', () => {
    const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped', 'unknown', 'stateset', 'info', 'x'];
    expect(types.map(familyType)).toEqual([
      'counter',
      'gauge',
      'histogram',
      'summary',
      'untyped',
      'untyped',
      'gauge',
      'untyped',
      'untyped',
    ]);
  });
});
