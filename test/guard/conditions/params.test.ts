import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlParams } from '../../../src/guard/conditions/params.ts';

describe('url parameters', () => {
  it.each([
    ['/query/a/b', {}],
    ['/query/a/b?', {}],
    ['/query/a/b?&&', {}],
    ['/query/a/b?depth=4', { depth: ['4'] }],
    ['/query/a/b?depth=4&depth=5&x', { depth: ['4', '5'], x: [''] }],
    ['/query/a/b?x=a=b?c', { x: ['a=b?c'] }],
    ['/query/a/b?x=1#&y=2', { x: ['1'] }],
    ['/query/a/b?na%6De=J%C3%BCrgen+K%2B', { name: ['Jürgen K+'] }],
    ['/query/a/b?=1', { '': ['1'] }],
    ['/query/a/b?constructor=2', { constructor: ['2'] }],
  ])('are parsed from %s', (url, expected) => {
    expect(Object.fromEntries(urlParams(url) ?? [])).toEqual(expected);
  });

  it.each([
    '/query/a/b?x=%',
    '/query/a/b?x=%zz',
    '/query/a/b?x=1&%ff=2',
    '/query/a/b?x=%C3',
    '/query/a/b?y=1&x=%ED%A0%80',
  ])('are unknown for %s', (url) => {
    expect(urlParams(url)).toBeUndefined();
  });

  it('have any encoded value', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(pairs, (given) => {
        const known = urlParams(`/query/a/b?${new URLSearchParams([...given]).toString()}`);
        for (const [name, value] of given) expect(known?.get(name)).toContain(value);
      }),
    );
  });
});
