import { expect, it } from 'vitest';
import { DistinctErrors } from '../../src/kernel/distinct-errors.ts';

it('errors that alternate are new once each, until a success', () => {
  const errors = new DistinctErrors();
  expect(errors.clear()).toBe(false);
  expect(['refused', 'reset', 'refused', 'reset'].map((error) => errors.isNew(error))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(errors.clear()).toBe(true);
  expect(errors.isNew('reset')).toBe(true);
});

it('errors that are all different are new a limited number of times', () => {
  const errors = new DistinctErrors();
  const found = Array.from({ length: 100 }, (_, number) => errors.isNew(`error ${number}`));
  expect(found.filter(Boolean)).toHaveLength(20);
});
