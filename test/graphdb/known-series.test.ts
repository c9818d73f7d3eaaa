import { expect, it } from 'vitest';
import { KnownSeries, type SeriesHome } from '../../src/graphdb/known-series.ts';
import { SeriesStore } from '../../src/graphdb/series-store.ts';
import { TextPool } from '../../src/graphdb/text-pool.ts';
import { labelOf, labelsOf } from '../../src/model/exposition.ts';

function home(): SeriesHome {
  return { store: new SeriesStore(), pool: new TextPool() };
}

function page(text: string): DataView {
  return new DataView(new TextEncoder().encode(text).buffer);
}

it('reads its labels when they are asked for, once', () => {
  const series = new KnownSeries('svc_a{x="1",y="a \\"long\\" value of a label"}', home(), true);
  expect(series.name).toBe('svc_a');
  expect(series.pairs).toEqual(['x', '1', 'y', 'a "long" value of a label']);
  expect(series.pairs).toBe(series.pairs);
  expect(labelOf(series, 'x')).toBe('1');
  expect(labelOf(series, 'z')).toBe('');
  expect([...labelsOf(series)]).toEqual([
    ['x', '1'],
    ['y', 'a "long" value of a label'],
  ]);
});

it('has no text to hand on where it was not written cleanly', () => {
  expect(new KnownSeries('a{ x="1"}', home(), false)).toMatchObject({ text: undefined, raw: 'a{ x="1"}' });
  expect(new KnownSeries('a', home(), true)).toMatchObject({ text: 'a', name: 'a', pairs: [] });
});

it('knows itself on a page, and no longer name', () => {
  const series = new KnownSeries('svc_a', home(), true);
  expect(series.standsAt(page('svc_a 1'), 0)).toBe(true);
  expect(series.standsAt(page('svc_ab 1'), 0)).toBe(false);
  expect(series.standsAt(page('svc_a{x="1"} 1'), 0)).toBe(false);
});

it('is the same in another store, and leaves the others where they are', () => {
  const [one, other] = [home(), home()];
  const stays = new KnownSeries('a{x="ä"}', one, true);
  const moves = new KnownSeries('b{x="ö"}', one, true);
  moves.move(other);
  expect([stays.raw, moves.raw]).toEqual(['a{x="ä"}', 'b{x="ö"}']);
  expect(moves.pairs).toEqual(['x', 'ö']);
  expect(moves.standsAt(page('b{x="ö"} 1'), 0)).toBe(true);
  expect(other.store.used).toBe(moves.length);
});
