import { expect, it } from 'vitest';
import { receivers } from '../../src/notify/receivers/all.ts';

it('every kind of receiver has its own name in the demo', () => {
  const names = receivers.flatMap(({ simulated }) => simulated?.demo.name ?? []);
  expect(new Set(names).size).toBe(names.length);
});
