import { expect, it } from 'vitest';
import { KnownSeries } from '../../src/graphdb/known-series.ts';
import { TextPool } from '../../src/graphdb/text-pool.ts';
import { labelOf, labelsOf } from '../../src/model/exposition.ts';

it('reads its labels when they are asked for, once', () => {
  const series = new KnownSeries('svc_a{x="1",y="a \\"long\\" value of a label"}', new TextPool(), true);
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
  expect(new KnownSeries('a{ x="1"}', new TextPool(), false)).toMatchObject({ text: undefined, raw: 'a{ x="1"}' });
  expect(new KnownSeries('a', new TextPool(), true)).toMatchObject({ text: 'a', name: 'a', pairs: [] });
});
