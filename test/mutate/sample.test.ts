import { expect, it } from 'vitest';
import { sampleOf } from '../../mutate/sample.ts';

const all = Array.from({ length: 100 }, (_, index) => index);

it('draws so many, each once, in their order', () => {
  const drawn = sampleOf(all, 20, 1);
  expect(drawn).toHaveLength(20);
  expect(drawn).toEqual([...new Set(drawn)].toSorted((one, other) => one - other));
});

it('draws the same for the same seed, and others for another', () => {
  expect(sampleOf(all, 20, 1)).toEqual(sampleOf(all, 20, 1));
  expect(sampleOf(all, 20, 1)).not.toEqual(sampleOf(all, 20, 2));
});

it.each([100, 1000])('draws all of a hundred where it is to draw %d', (count) => {
  expect(sampleOf(all, count, 1)).toEqual(all);
});
