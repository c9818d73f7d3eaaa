import { expect, it } from 'vitest';
import {
  escapeHtml,
  escapeInvisible,
  printableLines,
  replaceControlCharacters,
  replaceReversing,
} from '../../src/kernel/visible-text.ts';

const hostile = 'a\u001b[31m\u0007b\u202ec\u2066d\u061ce\u2028f\u0085g\u007fh\ni';

it('terminal control characters and characters that reverse a text are replaced', () => {
  expect(replaceControlCharacters(hostile)).toBe('a [31m b c d e f g h i');
  expect(replaceControlCharacters('größe – 日本語 – עברית')).toBe('größe – 日本語 – עברית');
});

it('each character that reverses a text is replaced, and no other', () => {
  const reversing = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
  expect(replaceReversing(`a${reversing}b\n\u0007`)).toBe('a b\n\u0007');
  for (const one of reversing) expect(replaceControlCharacters(`a${one}b`)).toBe('a b');
});

it('visible text › keeps the lines of a text', () => {
  expect(printableLines(hostile)).toBe('a [31m b c d e f g h\ni');
});

it('visible text › escapes JSON without a change of its value', () => {
  const json = JSON.stringify({ hostile });
  expect(escapeInvisible(json)).not.toMatch(/[\u007f-\u009f\u2028\p{Bidi_Control}]/u);
  expect(JSON.parse(escapeInvisible(json))).toEqual({ hostile });
});

it('visible text › escapes text for HTML and its attributes', () => {
  expect(escapeHtml(`<a b="c" d='e'>&\u202e`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp; ');
});
