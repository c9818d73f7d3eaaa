import { expect, it } from 'vitest';
import { jsonOf, textOf } from '../../../src/simulator/receivers/kind.ts';

it('reads JSON, and knows what is none', () => {
  expect(jsonOf('{"a":1}')).toEqual({ a: 1 });
  expect(jsonOf('')).toBeUndefined();
  expect(jsonOf('ok')).toBeUndefined();
});

it('shows texts and numbers, and nothing else', () => {
  expect(['three', 3, {}, null, undefined].map(textOf)).toEqual(['three', '3', '', '', '']);
});
