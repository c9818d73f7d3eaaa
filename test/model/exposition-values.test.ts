import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSampleValue, SampleValueWriter, sampleValues, valueAt, valueTextAt } from '../../src/model/exposition.ts';

describe('the number texts of many samples', () => {
  it('are returned one by one', () => {
    const texts = ['1', '', '-2.5e+07', 'NaN', '9007199254740993'];
    const values = sampleValues(texts);
    expect(values.length).toBe(5);
    expect(texts.map((_, at) => valueTextAt(values, at))).toEqual(texts);
  });

  it('are collected from strings and from bytes, in any number', () => {
    const writer = new SampleValueWriter();
    const page = new TextEncoder().encode('a 17 b 4.25');
    for (let count = 0; count < 1000; count += 1) {
      writer.add(`${count}`);
      writer.copy(page, 2, 4);
      writer.copy(page, 7, 11);
    }
    const values = writer.finish();
    expect(values.length).toBe(3000);
    for (let count = 0; count < 1000; count += 1) {
      expect([0, 1, 2].map((one) => valueTextAt(values, 3 * count + one))).toEqual([`${count}`, '17', '4.25']);
    }
  });

  it('accept a text of any length', () => {
    expect(valueTextAt(sampleValues(['1'.repeat(5000)]), 0)).toHaveLength(5000);
  });

  it('are empty if none was added', () => {
    expect(sampleValues([]).length).toBe(0);
  });
});

describe('a number text', () => {
  it.each([
    ['1.2802625793e+10', 12_802_625_793],
    ['-1', -1],
    ['0', 0],
    ['1.', 1],
    ['.5', 0.5],
    ['0.1', 0.1],
    ['123456789012.345', 123_456_789_012.345],
    ['9007199254740993', 9_007_199_254_740_992],
    ['+Inf', Number.POSITIVE_INFINITY],
    ['Inf', Number.POSITIVE_INFINITY],
    ['-Inf', Number.NEGATIVE_INFINITY],
    ['NaN', Number.NaN],
  ])('is a number: %s', (text, value) => {
    expect(parseSampleValue(text)).toBe(value);
    expect(valueAt(sampleValues(['7', text, '8']), 1)).toBe(value);
  });

  it('is the same number from a string and from bytes', () => {
    const decimal = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 12 }), fc.nat());
    fc.assert(
      fc.property(decimal, ([whole, zeros, part]) => {
        const text = `${whole}.${'0'.repeat(zeros)}${part}`;
        expect(valueAt(sampleValues([text]), 0)).toBe(Number(text));
      }),
      { numRuns: 1000 },
    );
  });
});
