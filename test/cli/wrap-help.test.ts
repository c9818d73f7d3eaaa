import { expect, it } from 'vitest';
import { wrapHelp } from '../../src/cli/wrap-help.ts';

it.each([
  ['a text that fits', 'one two', 10, ['one two']],
  ['a long text', 'one two three', 8, ['one two', 'three']],
  ['a last word alone', 'one two three 1.', 13, ['one two', 'three 1.']],
  ['a list line', '  calm  normal load of a day', 20, ['  calm  normal load', '        of a day']],
  ['lines of their own', 'one\ntwo', 20, ['one', 'two']],
  ['a word longer than the width', 'graphwarden', 4, ['graphwarden']],
  ['an empty line', 'one\n\ntwo', 4, ['one', '', 'two']],
])('help › wraps %s', (_, text, width, lines) => {
  expect(wrapHelp(text, width).split('\n')).toEqual(lines);
});
