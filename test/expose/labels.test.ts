import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseLabels, formatLabel, formatValue, type LabelLimit, linePrefix } from '../../src/expose/labels.ts';
import { anyCharacter } from '../support/any-character.ts';

const atMost = (valueBytes: number): LabelLimit => ({ valueBytes, cut: 0 });

describe('a label', () => {
  it.each([
    ['as it is', 'prod', 'prod'],
    ['with quotes', 'a"b', 'a\\"b'],
    ['with backslashes', 'C:\\n', 'C:\\\\n'],
    ['with line feeds', 'a\nb\r', 'a\\nb\r'],
    ['with a lone surrogate', 'a\ud83d', 'a\ufffd'],
    ['with control characters', '\0\u0001\u001b[31m', '\0\u0001\u001b[31m'],
  ])('is written %s', (_, value, written) => {
    expect(formatLabel('x', value, atMost(256))).toBe(`x="${written}"`);
  });

  it('is cut between two characters, with a checksum of the whole', () => {
    expect(formatLabel('x', 'a'.repeat(16), atMost(16))).toBe(`x="${'a'.repeat(16)}"`);
    const limit = atMost(16);
    expect(formatLabel('x', 'a'.repeat(17), limit)).toBe(
      `x="aaaaaaa~${crc32('a'.repeat(17)).toString(16).padStart(8, '0')}"`,
    );
    expect(limit.cut).toBe(1);
    expect(formatLabel('x', '😀'.repeat(9), atMost(16))).toMatch(/^x="😀~[0-9a-f]{8}"$/);
  });

  it('is never longer than the limit, and always UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), fc.integer({ min: 16, max: 64 }), (value, most) => {
        const written = formatLabel('x', value.replace(/["\\\n]/g, ''), atMost(most));
        expect(Buffer.byteLength(written) - 'x=""'.length).toBeLessThanOrEqual(most);
        expect(written.isWellFormed()).toBe(true);
      }),
    );
  });

  it('that is cut remains distinct from others', () => {
    const long = 'y'.repeat(300);
    const written = new Set(['1', '2', '3'].map((end) => formatLabel('x', long + end, atMost(64))));
    expect(written.size).toBe(3);
  });
});

describe('a line', () => {
  it('has braces if there are labels', () => {
    expect(linePrefix('a', '', [])).toBe('a ');
    expect(linePrefix('a', 'x="1"', [])).toBe('a{x="1"} ');
    expect(linePrefix('a', '', ['y="2"'])).toBe('a{y="2"} ');
    expect(linePrefix('a', 'x="1"', ['y="2"', 'z="3"'])).toBe('a{x="1",y="2",z="3"} ');
  });

  it('begins with the labels of its source', () => {
    const base = baseLabels({ cluster_name: 'a"', node: 'm1' }, atMost(256));
    expect(base.text).toBe('cluster_name="a\\"",node="m1"');
    expect([...base.names]).toEqual(['cluster_name', 'node']);
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [0.1, '0.1'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('ends with %s as %s', (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});
