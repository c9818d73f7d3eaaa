import { expect, it } from 'vitest';
import { InternedSeries, type SeriesStorage, StringPool } from '../../src/graphdb/interned-series.ts';
import { SeriesStore } from '../../src/graphdb/series-store.ts';
import { labelPairs, labelValue } from '../../src/model/exposition.ts';

function home(): SeriesStorage {
  return { store: new SeriesStore(), pool: new StringPool() };
}

function page(text: string): DataView {
  return new DataView(new TextEncoder().encode(text).buffer);
}

it('a series parses its labels on first use, once', () => {
  const series = new InternedSeries('svc_a{x="1",y="a \\"long\\" value of a label"}', home(), true);
  expect(series.name).toBe('svc_a');
  expect(series.pairs).toEqual(['x', '1', 'y', 'a "long" value of a label']);
  expect(series.pairs).toBe(series.pairs);
  expect(labelValue(series, 'x')).toBe('1');
  expect(labelValue(series, 'z')).toBe('');
  expect([...labelPairs(series)]).toEqual([
    ['x', '1'],
    ['y', 'a "long" value of a label'],
  ]);
});

it('a series has no reusable text if its spelling is not canonical', () => {
  expect(new InternedSeries('a{ x="1"}', home(), false)).toMatchObject({ text: undefined, raw: 'a{ x="1"}' });
  expect(new InternedSeries('a', home(), true)).toMatchObject({ text: 'a', name: 'a', pairs: [] });
});

it('a series matches itself on a page, and no longer name', () => {
  const series = new InternedSeries('svc_a', home(), true);
  expect(series.matchesAt(page('svc_a 1'), 0)).toBe(true);
  expect(series.matchesAt(page('svc_ab 1'), 0)).toBe(false);
  expect(series.matchesAt(page('svc_a{x="1"} 1'), 0)).toBe(false);
});

it('a series is unchanged by a move to another store, and so are the others', () => {
  const [one, other] = [home(), home()];
  const stays = new InternedSeries('a{x="ä"}', one, true);
  const moves = new InternedSeries('b{x="ö"}', one, true);
  moves.move(other);
  expect([stays.raw, moves.raw]).toEqual(['a{x="ä"}', 'b{x="ö"}']);
  expect(moves.pairs).toEqual(['x', 'ö']);
  expect(moves.matchesAt(page('b{x="ö"} 1'), 0)).toBe(true);
  expect(other.store.used).toBe(moves.length);
});
