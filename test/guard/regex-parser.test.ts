import { describe, expect, it } from 'vitest';
import { parseRegex } from '../../src/guard/regex-parser.ts';

/** What is refused, with the beginning of the reason. */
const refused: readonly (readonly [text: string, reason: string])[] = [
  ['', 'is not anchored:'],
  ['^', 'is not anchored:'],
  ['$', 'is not anchored:'],
  ['nightly_.*', 'is not anchored:'],
  ['^nightly_.*', 'is not anchored:'],
  ['nightly_.*$', 'is not anchored:'],
  ['^nightly\\$', 'is not anchored:'],
  ['^nightly\\\\\\$', 'is not anchored:'],
  [' ^a$', 'is not anchored:'],
  ['^a|b$', 'is not anchored as a whole:'],
  ['^a|$', 'is not anchored as a whole:'],
  ['^(a)\\1$', 'refers back'],
  ['^\\0$', 'refers back'],
  ['^(?=a)a$', 'looks around'],
  ['^(?!a)b$', 'looks around'],
  ['^(?<=a)b$', 'looks around'],
  ['^(?<name>a)$', 'looks around'],
  ['^(?i)a$', 'looks around'],
  ['^a*?$', 'repeats what is a repetition'],
  ['^a++$', 'repeats what is a repetition'],
  ['^a{2}{3}$', 'repeats what is a repetition'],
  ['^a{2}*$', 'repeats what is a repetition'],
  ['^*$', 'repeats nothing'],
  ['^(+a)$', 'repeats nothing'],
  ['^(a|?)$', 'repeats nothing'],
  ['^{3}$', 'repeats nothing'],
  ['^a{$', 'has a brace'],
  ['^a{,3}$', 'has a brace'],
  ['^a{3,2}$', 'has a brace'],
  ['^a{1001}$', 'has a brace'],
  ['^a{99999}$', 'has a brace'],
  ['^a{x}$', 'has a brace'],
  ['^a^b$', 'has ^ or $ within'],
  ['^a$b$', 'has ^ or $ within'],
  ['^(^a)$', 'has ^ or $ within'],
  ['^a]$', 'has a bracket that closes nothing'],
  ['^a}$', 'has a bracket that closes nothing'],
  ['^(a$', 'has a ( that is not closed'],
  ['^(a|(b)$', 'has a ( that is not closed'],
  ['^a)$', 'has a ) too many'],
  ['^(a))$', 'has a ) too many'],
  ['^[a$', 'has a [ that is not closed'],
  ['^[a\\]$', 'has a [ that is not closed'],
  ['^[]$', 'has a [] with nothing in it'],
  ['^[^]$', 'has a [] with nothing in it'],
  ['^[z-a]$', 'has a range'],
  ['^[a-\\d]$', 'has a range'],
  ['^\\b$', 'has a \\ before'],
  ['^\\p{L}$', 'has a \\ before'],
  ['^\\x41$', 'has a \\ before'],
  ['^\\u0041$', 'has a \\ before'],
  ['^\\_$', 'has a \\ before'],
  ['^[\\b]$', 'has a \\ before'],
];

describe('regular expression', () => {
  it.each(refused)('%j is rejected: it %s', (text, reason) => {
    const read = parseRegex(text);
    expect(read.ok ? 'accepted' : read.error.slice(0, reason.length)).toBe(reason);
  });

  it.each([
    '^$',
    '^a$',
    '^nightly_.*$',
    '^(nightly|weekly)_\\w+$',
    '^(?:a|b)$',
    '^()$',
    '^(a|)$',
    '^(a+)+$',
    '^[a-z0-9_]{1,128}$',
    '^[^a-c-]$',
    '^[-a]$',
    '^[a-]$',
    '^[.*+?(){}|]$',
    '^[\\]\\\\\\d]$',
    '^a{3}b{3,}c{3,9}$',
    '^\\.\\*\\(\\)\\{\\}\\[\\]\\^\\$\\|\\/\\-$',
    '^\\\\$',
    '^\\n\\r\\t\\s\\S\\d\\D\\w\\W$',
    '^grün 🙂$',
  ])('%j is accepted', (text) => {
    expect(parseRegex(text)).toMatchObject({ ok: true });
  });

  it('does not repeat its text in the error', () => {
    for (const [, reason] of refused) expect(reason).not.toContain('nightly');
    const read = parseRegex('^hunter2(hunter2$');
    expect(read).toMatchObject({ ok: false });
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });

  it('reports the first error', () => {
    const read = parseRegex('^(a**|(?=b)$');
    expect(read.ok ? '' : read.error).toMatch(/^repeats what is a repetition/);
  });
});
