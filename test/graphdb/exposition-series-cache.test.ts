import { describe, expect, it } from 'vitest';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { SeriesCache } from '../../src/graphdb/exposition-series-cache.ts';
import { FakeClock } from '../support/clock.ts';
import { parsed, samplesOf } from './exposition-pages.ts';

function seriesOf(page: Awaited<ReturnType<typeof parsed>>) {
  return page.families.flatMap(({ series }) => series);
}

describe('interning', () => {
  it('returns the same object for the same series on every page, in any order', async () => {
    const parser = createTextParser(new FakeClock());
    const first = seriesOf(await parsed('a{x="1"} 1\nb{x="1"} 2\nc{x="1"} 3\nd 4\n', parser));
    const second = seriesOf(await parsed('c{x="1"} 5\na{x="1"} 6\nd 7\nb{x="1"} 8\n', parser));
    expect(second[0]).toBe(first[2]);
    expect(second[1]).toBe(first[0]);
    expect(second[2]).toBe(first[3]);
    expect(second[3]).toBe(first[1]);
  });

  it('returns the same object for a series with another spelling', async () => {
    const parser = createTextParser(new FakeClock());
    const [first] = seriesOf(await parsed('a{x="1",y="2"} 1\n', parser));
    const [second] = seriesOf(await parsed('a{y="2",x="1"} 1\n', parser));
    const [third] = seriesOf(await parsed('a{x="1", y="2"} 1\n', parser));
    expect(second).toBe(first);
    expect(third).toBe(first);
  });

  it('never matches a longer name', async () => {
    const parser = createTextParser(new FakeClock());
    await parsed('a 1\nb 2\n', parser);
    const page = await parsed('a 1\nbc 2\nb {x="1"} 3\nb 4\n', parser);
    expect(samplesOf(page)).toEqual(['a 1', 'bc 2', 'b x 1 3', 'b 4']);
  });

  it('returns a new series from its second page on if configured, and counts series of one page only', async () => {
    const parser = createTextParser(new FakeClock(), { confirmsSeries: true });
    const pages = ['a 1\n', 'a 1\nb 2\nc 3\n', 'a 1\nb 2\n', 'a 1\nb 2\n'];
    const shown: unknown[] = [];
    for (const page of pages) {
      const { unconfirmed, rejected, ...content } = await parsed(page, parser);
      shown.push([samplesOf({ unconfirmed, rejected, ...content }), unconfirmed, rejected]);
    }
    expect(shown).toEqual([
      [['a 1'], 0, 0],
      [['a 1'], 0, 0],
      [['a 1', 'b 2'], 1, 0],
      [['a 1', 'b 2'], 0, 0],
    ]);
  });

  it('confirms the series of a source by pages of the same source only', async () => {
    const parser = createTextParser(new FakeClock(), { confirmsSeries: true });
    const parse = async (text: string, source: string) => {
      const page = await parser.of(source).parse(new TextEncoder().encode(text));
      return page.ok ? samplesOf(page.value) : page.error;
    };
    expect(await parse('a 1\n', 'm1')).toEqual(['a 1']);
    expect(await parse('x 1\n', 'evil')).toEqual(['x 1']);
    expect(await parse('a 1\n', 'm1')).toEqual(['a 1']);
    expect(await parse('a 1\nb 2\n', 'm1')).toEqual(['a 1']);
  });

  it('keeps the text of a series that can be passed through', async () => {
    const [clean, spaced] = seriesOf(await parsed('a{y="2",x=""} 1\nb{ x="1"} 2\n'));
    expect(clean?.text).toBe('a{y="2",x=""}');
    expect(spaced?.text).toBeUndefined();
  });
});

function read(cache: SeriesCache, ...lines: readonly string[]): void {
  cache.beginPage();
  for (const line of lines) {
    const known = cache.find(line, 0, line.length);
    if (known !== undefined) cache.markShown(known);
  }
  cache.endPage();
}

/** The same hundred series in an order and in spellings that depend on the turn. */
function shuffled(turn: number): readonly string[] {
  return Array.from({ length: 100 }, (_, at) => (at + turn) % 100).map((at) =>
    at % 2 === turn % 2 ? `a{x="${at}",y="1"} 1` : `a{y="1",x="${at}"} 1`,
  );
}

describe('the cache', () => {
  it('contains the series of the last page only', () => {
    const cache = new SeriesCache(10);
    read(cache, 'a{x="1"} 1', 'a{x="2"} 1', 'a{x="3"} 1');
    expect(cache.size).toBe(3);
    read(cache, 'a{x="2"} 1', 'a{x="4"} 1');
    expect(cache.size).toBe(2);
    read(cache);
    expect(cache.size).toBe(0);
  });

  it('stores series up to its limit, and drops the series of the previous page', () => {
    const cache = new SeriesCache(2);
    read(cache, 'a{x="1"} 1', 'a{x="2"} 1', 'a{x="3"} 1');
    expect(cache.size).toBe(2);
    read(cache, 'a{x="3"} 1');
    read(cache, 'a{x="4"} 1', 'a{x="3"} 1');
    expect(cache.size).toBe(2);
  });

  it('rejects series above its limit', async () => {
    const page = await parsed(
      'a{x="1"} 1\na{x="2"} 1\na{x="3"} 1\n',
      createTextParser(new FakeClock(), { maxSeries: 2 }),
    );
    expect(samplesOf(page)).toEqual(['a x 1 1', 'a x 2 1']);
    expect(page.rejected).toBe(1);
  });

  it('stays of one size while its series come in changing orders and spellings', () => {
    const cache = new SeriesCache(1000);
    for (let turn = 0; turn < 20; turn += 1) {
      read(cache, ...shuffled(turn));
      expect(cache.size).toBeLessThanOrEqual(200);
    }
    read(cache, ...shuffled(0));
    expect(cache.size).toBeLessThanOrEqual(200);
  });
});
