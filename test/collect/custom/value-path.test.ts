import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { follow, isContainer, memberOf, parseValuePath } from '../../../src/collect/custom/value-path.ts';

describe('parseValuePath', () => {
  it.each([
    ['0.outliers', ['0', 'outliers'], false],
    ['@@total', ['@@total'], false],
    ['attributes."v.@degree"', ['attributes', 'v.@degree'], false],
    ['0.@@by_type.*', ['0', '@@by_type'], true],
    ['*', [], true],
    ['""', [''], false],
    ['"*"', ['*'], false],
  ])('parses %s', (text, steps, isEach) => {
    expect(parseValuePath(text)).toEqual({ ok: true, value: { text, steps, isEach } });
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'a b', '"a', 'a"b', '*.a', 'a*', 'a[0]', '$[0]'])('refuses %j', (text) => {
    expect(parseValuePath(text)).toMatchObject({ ok: false });
  });

  it('finds any member of any object by its quoted name', () => {
    const name = fc.string().filter((text) => !text.includes('"'));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (names, value) => {
        const path = parseValuePath(names.map((one) => `"${one}"`).join('.'));
        const nested = names.reduceRight<unknown>((inner, one) => Object.fromEntries([[one, inner]]), value);
        expect(path.ok && follow(nested, path.value.steps)).toEqual({ value });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, value) => {
        const path = parseValuePath(text);
        if (path.ok) follow(value, path.value.steps);
      }),
    );
  });
});

describe('follow', () => {
  it.each([
    [{ a: [{ b: null }] }, ['a', '0', 'b'], { value: null }],
    [{ a: 1 }, [], { value: { a: 1 } }],
    [{ a: 1 }, ['a', 'b'], { steps: 1 }],
    [[1, 2], ['2'], { steps: 0 }],
    [[1, 2], ['length'], { steps: 0 }],
    ['text', ['0'], { steps: 0 }],
    [{}, ['toString'], { steps: 0 }],
    [{}, ['__proto__'], { steps: 0 }],
    [null, ['a'], { steps: 0 }],
  ])('in %j finds %j: %j', (from, steps, found) => {
    expect(follow(from, steps)).toEqual(found);
  });
});

it('memberOf and isContainer accept objects and lists', () => {
  expect(memberOf([7], '0')).toBe(7);
  expect(memberOf({}, 'a')).toBeUndefined();
  expect([[], {}, null, 'x', 1].map(isContainer)).toEqual([true, true, false, false, false]);
});
