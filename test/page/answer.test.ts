import { expect, it } from 'vitest';
import { parseAnswer } from '../../page/src/answer.ts';

it('answer of the API › has a blank instead of characters that reverse a text', () => {
  const names = Array.from(
    '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
    (one) => `a${one}b`,
  );
  const text = JSON.stringify({ names, path: 'C:\\u202e', other: 'größe – עברית', count: 1 });
  expect(parseAnswer(text)).toEqual({
    names: names.map(() => 'a b'),
    path: 'C:\\u202e',
    other: 'größe – עברית',
    count: 1,
  });
});

it('answer of the API › that is not JSON is an error', () => {
  expect(() => parseAnswer('{"a":')).toThrow(SyntaxError);
});
