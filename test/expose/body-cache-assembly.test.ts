import { describe, expect, it } from 'vitest';
import {
  joinFamilies,
  longFragmentBytes,
  type ShownFamily,
  shownFamily,
  shownSeries,
} from '../../src/expose/body-cache.ts';
import { fragmentOf, textIn } from './fragments.ts';

function many(count: number): readonly (readonly [string, string])[] {
  return Array.from({ length: count }, (_, at) => [`${at}`, '1'] as const);
}

async function shown(name: string, count: number, more: Parameters<typeof fragmentOf>[2] = {}): Promise<ShownFamily> {
  const family = shownFamily([await fragmentOf(name, many(count), more)]);
  if (family === undefined) expect.fail('there is a fragment');
  return family;
}

describe('a shown family', () => {
  it('is undefined without fragments', () => {
    expect(shownFamily([])).toBeUndefined();
  });

  it('has the type of its first fragment, and the fragments of that type', async () => {
    const fragments = await Promise.all([
      fragmentOf('a', [['1', '1']], { type: 'counter', base: 'c="1"' }),
      fragmentOf('a', [['2', '2']], { type: 'gauge', base: 'c="2"' }),
      fragmentOf('a', [['3', '3']], { type: 'counter', base: 'c="3"' }),
    ]);
    const family = shownFamily(fragments);
    expect(family?.family.type).toBe('counter');
    expect(family?.parts.map(({ fragment }) => fragment)).toEqual([fragments[0], fragments[2]]);
  });

  it('contains the unchanged bytes of fragments, unless they repeat earlier lines', async () => {
    const first = await fragmentOf('a', [
      ['1', '1'],
      ['2', '2'],
    ]);
    const second = await fragmentOf('a', [
      ['2', '3'],
      ['3', '4'],
    ]);
    const third = await fragmentOf('a', [['4', '5']]);
    const parts = shownFamily([first, second, third])?.parts ?? [];
    expect(parts.map(({ bytes, series }) => [textIn(bytes), series])).toEqual([
      ['a{x="1"} 1\na{x="2"} 2\n', 2],
      ['a{x="3"} 4\n', 1],
      ['a{x="4"} 5\n', 1],
    ]);
    expect(parts[0]?.bytes).toBe(first.lines.bytes);
    expect(parts[2]?.bytes).toBe(third.lines.bytes);
  });

  it('does not compare lines of different clusters', async () => {
    const one = await fragmentOf('a', [['1', '1']], { base: 'c="1"' });
    const other = await fragmentOf('a', [['1', '1']], { base: 'c="2"' });
    expect(shownFamily([one, other])?.parts.map(({ series }) => series)).toEqual([1, 1]);
  });

  it('is counted fragment by fragment as it is shown', async () => {
    const fragments = await Promise.all([
      fragmentOf('a', many(3), { base: 'c="1"' }),
      fragmentOf('a', many(2), { base: 'c="2"' }),
      fragmentOf('a', many(4), { base: 'c="1"' }),
      fragmentOf('a', many(1), { base: 'c="3"', type: 'counter' }),
    ]);
    expect(fragments.map((one) => shownSeries(fragments, one))).toEqual([3, 2, 1, 0]);
    expect(shownSeries([], await fragmentOf('a', many(1)))).toBe(0);
  });
});

describe('the pieces of a page', () => {
  it('are one piece if all fragments are short', async () => {
    const pieces = joinFamilies([await shown('a', 1), await shown('b', 2)], 'text');
    expect(pieces.map((piece) => textIn(piece))).toEqual([
      '# TYPE a gauge\na{x="0"} 1\n# TYPE b gauge\nb{x="0"} 1\nb{x="1"} 1\n',
    ]);
  });

  it('are unchanged long fragments, with headers between them', async () => {
    const long = await shown('b', 2000);
    const pieces = joinFamilies([await shown('a', 1), long, await shown('c', 1)], 'text');
    expect(long.parts[0]?.bytes.length).toBeGreaterThan(longFragmentBytes);
    expect(pieces).toHaveLength(3);
    expect(pieces[1]).toBe(long.parts[0]?.bytes);
    expect(textIn(...pieces)).toMatch(/^# TYPE a gauge\na.* 1\n# TYPE b gauge\nb/);
  });

  it('do not grow without bound', async () => {
    const families = await Promise.all(Array.from({ length: 80 }, (_, at) => shown(`family_${at}`, 250)));
    const pieces = joinFamilies(families, 'text');
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(262_144 + 2 * longFragmentBytes);
    expect(textIn(...pieces)).toBe(families.map((family) => textIn(...joinFamilies([family], 'text'))).join(''));
  });

  it('differ only in their headers between the formats', async () => {
    const families = [await shown('a_total', 1, { type: 'counter' }), await shown('b', 1, { type: 'untyped' })];
    const lines = 'a_total{x="0"} 1\n';
    expect(textIn(...joinFamilies(families, 'text'))).toBe(
      `# TYPE a_total counter\n${lines}# TYPE b untyped\nb{x="0"} 1\n`,
    );
    expect(textIn(...joinFamilies(families, 'openmetrics'))).toBe(
      `# TYPE a counter\n${lines}# TYPE b unknown\nb{x="0"} 1\n`,
    );
  });

  it('is empty without families', () => {
    expect(joinFamilies([], 'text')).toEqual([]);
  });
});
