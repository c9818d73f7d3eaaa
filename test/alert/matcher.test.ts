import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMatcher, matches, readMatcher } from '../../src/alert/matcher.ts';
import { matchersOf } from '../support/matchers-of.ts';

describe('a matcher', () => {
  it.each([
    ['severity="critical"', { name: 'severity', operator: '=', value: 'critical' }],
    ['severity=critical', { name: 'severity', operator: '=', value: 'critical' }],
    [' node != m1 ', { name: 'node', operator: '!=', value: 'm1' }],
    ['node=~"m1|m2"', { name: 'node', operator: '=~', value: 'm1|m2' }],
    ['node!~m.*', { name: 'node', operator: '!~', value: 'm.*' }],
    ['team=', { name: 'team', operator: '=', value: '' }],
    ['team=""', { name: 'team', operator: '=', value: '' }],
    ['graph="a=b, c"', { name: 'graph', operator: '=', value: 'a=b, c' }],
    [String.raw`path="a\"b\\c\nd"`, { name: 'path', operator: '=', value: 'a"b\\c\nd' }],
    [String.raw`node=~"db-\\d+\\.prod"`, { name: 'node', operator: '=~', value: String.raw`db-\d+\.prod` }],
    ['severity=~"crit.*"', { name: 'severity', operator: '=~', value: 'crit.*' }],
  ])('$0 is parsed', (text, matcher) => {
    expect(readMatcher(text)).toEqual({ ok: true, value: matcher });
  });

  it.each([
    ['', 'is not a matcher'],
    ['severity', 'is not a matcher'],
    ['="critical"', 'is not a matcher'],
    ['a-b="x"', 'is not a matcher'],
    ['a == b "', 'invalid quotes'],
    ['node="m1', 'invalid quotes'],
    ['node="m1" graph="g"', 'invalid quotes'],
    ['node=m1,graph=g', 'invalid quotes'],
    [String.raw`node="m\d"`, 'invalid quotes'],
    ['severity="critcal"', 'is not a severity; use critical, warning, info'],
    ['severity!=""', 'is not a severity'],
    ['node=~"(a+)+"', 'no groups'],
    ['node=~"a|(b|c)"', 'no groups'],
    ['node=~"^m1$"', 'no groups'],
    ['node=~"a{2,}"', 'no groups'],
    ['node=~"[b-a]"', 'invalid regular expression'],
    ['node=~"["', 'no groups'],
    ['node=~"*"', 'no groups'],
    ['node=~"a**"', 'no groups'],
    [String.raw`node=~"\\1"`, 'no groups'],
    [String.raw`node=~"\\"`, 'no groups'],
    ['node=~"a*b*c*d*"', 'more than 3 repetitions'],
    [`node=~"${'a'.repeat(257)}"`, 'more than 256 characters'],
  ])('«$0» is rejected', (text, complaint) => {
    const read = readMatcher(text);
    expect(read.ok ? '' : read.error).toContain(complaint);
  });

  it('is formatted as the text that it was parsed from, for any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('=' as const, '!=' as const), (value, operator) => {
        const matcher = { name: 'node', operator, value };
        expect(readMatcher(formatMatcher(matcher))).toEqual({ ok: true, value: matcher });
      }),
    );
  });

  it('is parsed or rejected for any text, and a parsed one can be evaluated', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('ab-^.*+?|[]()\\"=~!d{}')) }),
        fc.string(),
        (text, value) => {
          const read = readMatcher(`node=~${text}`);
          if (read.ok) expect(typeof matches([read.value], { node: value })).toBe('boolean');
          else expect(read.error).not.toBe('');
        },
      ),
    );
  });
});

describe('labels', () => {
  it.each([
    [[], true],
    [['severity="critical"'], true],
    [['severity="warning"'], false],
    [['severity!="warning"'], true],
    [['severity=~"warning|critical"'], true],
    [['severity=~"crit"'], false],
    [['severity=~"crit.*"'], true],
    [['severity!~"crit.*"'], false],
    [['severity!~"crit"'], true],
    [['severity="critical"', 'node="m1"'], true],
    [['severity="critical"', 'node="m2"'], false],
    [['node="m1"', 'node!="m1"'], false],
    [['team="graph"'], false],
    [['team=""'], true],
    [['team!="graph"'], true],
    [['team=~"|graph"'], true],
    [['team=~".+"'], false],
    [['node=~"[lm][0-9]"'], true],
    [[String.raw`node=~"\\w\\d"`], true],
  ])('match %j: %s', (texts, expected) => {
    expect(matches(matchersOf(...texts), { severity: 'critical', node: 'm1' })).toBe(expected);
  });

  it('of any length are compared quickly with the slowest expression', () => {
    const [worst] = matchersOf('node=~".*a.*b.*c"');
    const began = performance.now();
    expect(matches(worst === undefined ? [] : [worst], { node: 'ab'.repeat(200) })).toBe(false);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
