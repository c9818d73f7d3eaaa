import { expect, it } from 'vitest';
import { toRow } from '../../../src/runtime/postgres/rows.ts';

it('a row has numbers, texts and NULL; other values become texts', () => {
  expect(toRow({ a: 1, b: 'x', c: null, d: true })).toEqual({ a: 1, b: 'x', c: null, d: 'true' });
});
