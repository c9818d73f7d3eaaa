import { expect, it } from 'vitest';
import { sampleMutants } from '../../../campaigns/mutate/mutants.ts';

const all = Array.from({ length: 100 }, (_, index) => index);

it('mutant sample › draws the requested number of distinct mutants in the original order', () => {
  const drawn = sampleMutants(all, 20, 1);
  expect(drawn).toHaveLength(20);
  expect(drawn).toEqual([...new Set(drawn)].toSorted((one, other) => one - other));
});

it('mutant sample › draws the same sample for the same seed and a different one for another seed', () => {
  expect(sampleMutants(all, 20, 1)).toEqual(sampleMutants(all, 20, 1));
  expect(sampleMutants(all, 20, 1)).not.toEqual(sampleMutants(all, 20, 2));
});

it.each([100, 1000])('mutant sample › draws all hundred mutants if the size is %d', (count) => {
  expect(sampleMutants(all, count, 1)).toEqual(all);
});
