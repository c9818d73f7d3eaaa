import { expect, it } from 'vitest';
import { parseJson } from '../../src/kernel/json.ts';

it('parseJson › returns the value of a JSON text, and undefined for any other text', () => {
  expect(parseJson('{"a":1}')).toEqual({ a: 1 });
  expect(parseJson('null')).toBeNull();
  expect(parseJson('')).toBeUndefined();
  expect(parseJson('ok')).toBeUndefined();
  expect(parseJson('{')).toBeUndefined();
});
