import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../src/guard/pattern.ts';
import {
  compilePatterns,
  formatPattern,
  matchesEveryName,
  parsePattern,
  type Subject,
} from '../../src/guard/pattern.ts';

function read(text: string, subject: Subject = 'text'): Pattern {
  const pattern = parsePattern(text, subject);
  if (!pattern.ok) throw new Error(`${text} ${pattern.error}`);
  return pattern.value;
}

function matches(pattern: string, text: string): boolean {
  return compilePatterns([read(pattern)])(text);
}

describe('glob', () => {
  it.each([
    ['*', '', true],
    ['*', 'anything at all', true],
    ['', '', true],
    ['', 'a', false],
    ['nightly_*', 'nightly_', true],
    ['nightly_*', 'nightly_load', true],
    ['nightly_*', 'my_nightly_load', false],
    ['nightly_*', 'Nightly_load', false],
    ['*_load', 'nightly_load', true],
    ['*_load', 'nightly_loads', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['a**c', 'abc', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?c', 'a🙂c', true],
    ['a?c', 'a\u{ffff}c', true],
    ['a?c', 'a\u{10000}c', true],
    ['a??c', 'a\u{10000}c', false],
    ['??', 'a', false],
    ['?*', '', false],
    ['?*', 'a', true],
    ['*?', 'abc', true],
    ['*ab', 'aab', true],
    ['*ab*', 'aaab', true],
    ['*aab', 'aaaab', true],
    ['a.c', 'abc', false],
    ['a.c', 'a.c', true],
    ['a+', 'aa', false],
    ['^a$', 'a', false],
    ['(a|b)', 'a', false],
    ['a*c', 'a\nc', true],
    ['*', '*', true],
    ['a*', '*', false],
  ])('%j and %j: %s', (glob, text, expected) => {
    expect(matches(glob, text)).toBe(expected);
  });

  it('has the same result as an equivalent regular expression', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?', '.', '🙂', '\n');
    const glob = fc.string({ unit, maxLength: 10 });
    const text = fc.string({ unit, maxLength: 14 });
    fc.assert(
      fc.property(glob, text, (wanted, given) => {
        const source = Array.from(wanted).map((one) =>
          one === '*' ? '.*' : one === '?' ? '.' : one.replace('.', '\\.'),
        );
        expect(matches(wanted, given)).toBe(new RegExp(`^${source.join('')}$`, 'su').test(given));
      }),
      { numRuns: 5000 },
    );
  });

  it('matches texts that are generated from it', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '_', '7'), maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 5 }), (parts) => {
        const glob = parts.map(([fixed]) => fixed).join('*');
        const text = parts.map(([fixed, any], at) => (at === parts.length - 1 ? fixed : fixed + any)).join('');
        expect(matches(glob, text)).toBe(true);
      }),
    );
  });

  it('has linear time for texts that cause exponential backtracking', () => {
    expect(matches(`${'a*'.repeat(200)}b`, 'a'.repeat(8000))).toBe(false);
  });
});

describe('pattern', () => {
  it.each([
    ['re:^(adhoc|test)_\\w+$', 'adhoc_join', true],
    ['re:^(adhoc|test)_\\w+$', 'an_adhoc_join', false],
    ['re:^(adhoc|test)_\\w+$', 'adhoc_', false],
    ['re:^.$', '\n', true],
  ])('%j and %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each<readonly [string, Subject]>([
    ['nightly_*', 'name'],
    ['*', 'name'],
    ['m?', 'name'],
    ['db-*.example.org', 'node'],
    ['', 'text'],
    ['2026-11-*', 'text'],
    ['RE:^a$', 'text'],
    ['re:^[a-z]+$', 'name'],
    ['a'.repeat(500), 'name'],
    ['re:^[^a]{2,}$', 'text'],
  ])('$0 of a $1 is printed as it was written', (text, subject) => {
    expect(formatPattern(read(text, subject))).toBe(text);
  });

  it.each<readonly [string, Subject, RegExp]>([
    ['', 'name', /^must not be empty/],
    ['', 'node', /^must not be empty/],
    ['http://m1', 'node', /^contains characters that are not allowed in a name/],
    ['.+', 'node', /^contains characters that are not allowed in a name/],
    ['nightly-*', 'name', /^contains characters that are not allowed in a name/],
    ['.*', 'name', /^contains characters that are not allowed in a name/],
    ['^adhoc$', 'name', /^contains characters that are not allowed in a name/],
    ['{a,b}_*', 'name', /^contains characters that are not allowed in a name/],
    ['RE:^a$', 'name', /^contains characters that are not allowed in a name/],
    ['grün', 'name', /^contains characters that are not allowed in a name/],
    ['{a,b}', 'text', /^contains brackets or a backslash/],
    ['[ab]', 'text', /^contains brackets or a backslash/],
    ['a\\*', 'text', /^contains brackets or a backslash/],
    ['re:', 'text', /^is not anchored/],
    ['re:adhoc', 'name', /^is not anchored/],
    ['re:^(a)\\1$', 'text', /^contains a backreference/],
    ['re:^(a{100}){100}$', 'text', /^has too many repetitions/],
    ['a'.repeat(501), 'name', /^must not be longer than 500/],
    [`re:^${'a'.repeat(500)}$`, 'text', /^must not be longer than 500/],
  ])('«$0» of a $1 is rejected', (text, subject, reason) => {
    const result = parsePattern(text, subject);
    expect(result.ok ? '' : result.error).toMatch(reason);
  });

  it('that is accepted can be compiled without an exception', () => {
    const unit = fc.constantFrom(...Array.from('ab_7^$()[]{}|*+?.\\,-:'));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), fc.boolean(), (text, anchored) => {
        const pattern = parsePattern(anchored ? `re:^${text}$` : text, 'text');
        if (pattern.ok) expect([true, false]).toContain(compilePatterns([pattern.value])('ab_7'));
      }),
      { numRuns: 5000 },
    );
  });

  it('that was not accepted throws when it is compiled', () => {
    expect(() => compilePatterns([{ kind: 'regex', text: 'a' }])).toThrow('a pattern that was not accepted');
  });
});

describe('pattern list', () => {
  it('matches if one pattern matches', () => {
    const test = compilePatterns(['adhoc_*', 're:^x+$'].map((text) => read(text)));
    expect(['adhoc_1', 'xxx', 'nightly', ''].map((text) => test(text))).toEqual([true, true, false, false]);
  });

  it.each([
    [['*'], true],
    [['**'], true],
    [['?*'], true],
    [['x', '*'], true],
    [['re:^.*$'], true],
    [['re:^[a-z]\\w*$'], true],
    [['re:^[a-m].*$', 're:^[n-z].*$'], true],
    [['re:^.{1,128}$'], true],
    [['adhoc_*'], false],
    [['*_*'], false],
    [['??*'], false],
    [['re:^[a-m].*$'], false],
    [['re:^.{1,64}$'], false],
  ])('%j matches every name: %s', (texts, expected) => {
    expect(matchesEveryName(texts.map((text) => read(text, 'name')))).toBe(expected);
  });
});
