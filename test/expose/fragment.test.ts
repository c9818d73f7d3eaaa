import { expect, it } from 'vitest';
import { isSeries } from '../../src/expose/fragment.ts';

it('fragment › distinguishes a series of the server from the labels of a sample', () => {
  expect(isSeries({ name: 'a', pairs: [] })).toBe(true);
  expect(isSeries({ host_id: 'a' })).toBe(false);
  expect(isSeries({ name: 'a' })).toBe(false);
});

it('fragment › distinguishes a series from labels without parsing the labels', () => {
  const series = {
    name: 'a',
    get pairs(): readonly string[] {
      throw new Error('they are expensive');
    },
  };
  expect(isSeries(series)).toBe(true);
});
