import { describe, expect, it } from 'vitest';
import { parseRegex } from '../../src/guard/regex-parser.ts';

/** What is refused, with the beginning of the reason. */
const refused: readonly (readonly [text: string, reason: string])[] = [
  ['', 'is not anchored;'],
  ['^', 'is not anchored;'],
  ['$', 'is not anchored;'],
  ['nightly_.*', 'is not anchored;'],
  ['^nightly_.*', 'is not anchored;'],
  ['nightly_.*$', 'is not anchored;'],
  ['^nightly\\$', 'is not anchored;'],
  ['^nightly\\\\\\$', 'is not anchored;'],
  [' ^a$', 'is not anchored;'],
  ['^a|b$', 'is not anchored as a whole;'],
  ['^a|$', 'is not anchored as a whole;'],
  ['^(a)\\1$', 'contains a backreference'],
  ['^\\0$', 'contains a backreference'],
  ['^(?=a)a$', 'contains a lookaround'],
  ['^(?!a)b$', 'contains a lookaround'],
  ['^(?<=a)b$', 'contains a lookaround'],
  ['^(?<name>a)$', 'contains a lookaround'],
  ['^(?i)a$', 'contains a lookaround'],
  ['^a*?$', 'repeats a repetition'],
  ['^a++$', 'repeats a repetition'],
  ['^a{2}{3}$', 'repeats a repetition'],
  ['^a{2}*$', 'repeats a repetition'],
  ['^*$', 'has nothing before'],
  ['^(+a)$', 'has nothing before'],
  ['^(a|?)$', 'has nothing before'],
  ['^{3}$', 'has nothing before'],
  ['^a{$', 'contains a brace'],
  ['^a{,3}$', 'contains a brace'],
  ['^a{3,2}$', 'contains a brace'],
  ['^a{1001}$', 'contains a brace'],
  ['^a{99999}$', 'contains a brace'],
  ['^a{x}$', 'contains a brace'],
  ['^a^b$', 'contains ^ or $ in the middle'],
  ['^a$b$', 'contains ^ or $ in the middle'],
  ['^(^a)$', 'contains ^ or $ in the middle'],
  ['^a]$', 'contains an unmatched closing bracket'],
  ['^a}$', 'contains an unmatched closing bracket'],
  ['^(a$', 'contains a ( that is not closed'],
  ['^(a|(b)$', 'contains a ( that is not closed'],
  ['^a)$', 'contains an unmatched )'],
  ['^(a))$', 'contains an unmatched )'],
  ['^[a$', 'contains a [ that is not closed'],
  ['^[a\\]$', 'contains a [ that is not closed'],
  ['^[]$', 'contains an empty []'],
  ['^[^]$', 'contains an empty []'],
  ['^[z-a]$', 'contains a descending range'],
  ['^[a-\\d]$', 'contains a descending range'],
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
    expect(read.ok ? '' : read.error).toMatch(/^repeats a repetition/);
  });
});
