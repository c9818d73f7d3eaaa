import { describe, expect, it } from 'vitest';
import { formatProblems } from '../../src/config/problems.ts';
import { readYaml } from '../../src/config/yaml-source.ts';

function problems(text: string, environment?: Record<string, string>): string {
  return formatProblems(readYaml(text, 'f', environment).problems);
}

describe('readYaml', () => {
  it('returns plain data', () => {
    const text = 'a: 1\nb: [x, "2", true, null, 1.5]\nc: { d: |\n    two\n    lines\n }\n';
    expect(readYaml(text.replace(' }', '}'), 'f').value).toBeUndefined();
    expect(readYaml('a: 1\nb: [x, "2", true, null, 1.5]\nc: { d: "e" }\n', 'f').value).toEqual({
      a: 1,
      b: ['x', '2', true, null, 1.5],
      c: { d: 'e' },
    });
  });

  it.each([
    ['', null],
    ['# comment', null],
    ['---\n', null],
    ['yes', 'yes'],
    ['a: no', { a: 'no' }],
    ['a: 0o17', { a: 15 }],
    ['a: 2026-11-21', { a: '2026-11-21' }],
    ['a: !!str 1', { a: '1' }],
    ['"a": 1', { a: 1 }],
    ['a: &x 1\nb: *x', { a: 1, b: 1 }],
  ])('reads %j', (text, value) => {
    expect(readYaml(text, 'f').value).toEqual(value);
    expect(problems(text)).toBe('');
  });

  it('expands references only if there is an environment', () => {
    expect(readYaml('a: "${X}"\nb: [ "${X}${X}" ]', 'f', { X: '1' }).value).toEqual({ a: '1', b: ['11'] });
    expect(readYaml('a: "${X}"', 'f').value).toEqual({ a: '${X}' });
  });

  it('does not expand references in keys', () => {
    expect(readYaml('"${X}": 1', 'f', { X: 'y' }).value).toEqual({ '${X}': 1 });
  });

  it.each([
    ['a: [1', '1:6', 'wrong indentation, or an unclosed bracket or brace'],
    ['a: {b: 1', '1:9', 'wrong indentation, or an unclosed bracket or brace'],
    ['a: "b', '1:6', 'wrong indentation, or a missing bracket, brace, quote, colon or comma'],
    ['a: b: c', '1:4', 'nested mapping on one line; write the string in quotes, or use several lines'],
    ['a:\n\t- b', '2:1', 'tab used for indentation; use spaces'],
    ['a: @b', '1:4', 'string starts with a reserved character'],
    ['a: "\\q"', '1:5', 'unknown escape sequence in a double-quoted string'],
    ['a: *b', '1:4', 'refers to an unknown anchor; define the anchor before the alias'],
    ['a: !b c', '1:4', 'tags are not supported; remove the tag'],
    ['a: 1\na: 2', '2:1', 'duplicate key; remove one of them'],
    ['a: 1\n---\na: 2', '2:1', 'second document; a file contains one configuration'],
  ])('returns the problem of %j with its position', (text, position, sentence) => {
    expect(problems(text)).toContain(`f:${position}: `);
    expect(problems(text)).toContain(sentence);
  });

  it('reports each duplicate key once, also in a mapping that aliases repeat', () => {
    const text = 'a: &x { b: 1, c: 2, b: 3, "b": 4 }\nd: [*x, *x]';
    expect(problems(text).split('\n')).toEqual([
      expect.stringMatching(/^f:1:21: .*duplicate key/),
      expect.stringMatching(/^f:1:27: .*duplicate key/),
    ]);
  });

  it('uses the last value before an alias if several have its anchor', () => {
    expect(readYaml('a: &x 1\nb: *x\nc: &x [2]\nd: *x', 'f').value).toEqual({ a: 1, b: 1, c: [2], d: [2] });
  });

  it('reports at most twenty syntax errors', () => {
    expect(problems('"\n'.repeat(500)).split('\n').length).toBeLessThanOrEqual(20);
  });

  it('counts lines and columns from 1, with any line ending', () => {
    expect(problems('a: 1\r\n  b: "${X}"'.replace('  b', 'b'), {})).toMatch(/^f:2:4: b: refers/);
    expect(problems('a: "ä😀"\nb: "${X}"', {})).toMatch(/^f:2:4: b: refers/);
  });

  it('locates a missing key at its mapping, and an unknown key at its position', () => {
    const { locate } = readYaml('top:\n  inner: { known: 1 }\n', 'f');
    const at = (path: (string | number)[], isAboutKey = false) => {
      const { line, column } = locate({ path, message: '', isAboutKey });
      return `${line}:${column}`;
    };
    expect(at(['top', 'inner', 'known'])).toBe('2:19');
    expect(at(['top', 'inner', 'known'], true)).toBe('2:12');
    expect(at(['top', 'inner', 'missing'])).toBe('2:3');
    expect(at(['missing'])).toBe('1:1');
    expect(at([])).toBe('1:1');
  });

  it('has a first line in an empty file', () => {
    expect(readYaml('', 'f').locate({ path: [], message: 'is empty' })).toMatchObject({ line: 1, column: 1 });
  });

  it('refuses a text that is larger than any configuration', () => {
    expect(problems(`# ${'x'.repeat(2 ** 20 - 2)}`)).toBe('');
    expect(problems(`# ${'x'.repeat(2 ** 20 - 1)}`)).toBe('f:1:1: must not be larger than 1 MiB');
  });

  it('refuses a text with more lines than any configuration, also if they are blank', () => {
    for (const line of ['\n', '#\n', '\r\n']) {
      expect(problems(`a: 1\n${line.repeat(49_999)}`)).toBe('');
      expect(problems(`a: 1\n${line.repeat(50_000)}`)).toBe('f:1:1: must not have more than 50000 lines');
    }
  });

  it.each([']', ',', 'a,', '&a ', '"",', 'a: 1, '])(
    'refuses a line with more tokens than any configuration: %s',
    (token) => {
      expect(problems(`a: [${token.repeat(150_000)}`)).toBe(
        'f:1:1: must not have more than 140000 brackets, commas and values',
      );
    },
  );

  it('marks values that are already invalid', () => {
    const { hasProblemAt } = readYaml('a: "${X}"\nb: { c: "${X}", d: 1 }', 'f', {});
    expect(hasProblemAt(['a'])).toBe(true);
    expect(hasProblemAt(['b', 'c'])).toBe(true);
    expect(hasProblemAt(['b', 'd'])).toBe(false);
    expect(hasProblemAt(['b'])).toBe(false);
  });

  it('limits the expansion of aliases', () => {
    const lines = Array.from({ length: 30 }, (_, n) => `k${n + 1}: &k${n + 1} [*k${n}, *k${n}]`);
    expect(problems(['k0: &k0 [x, x]', ...lines].join('\n'))).toBe(
      'f:1:1: must not have more than 20000 values after its aliases are resolved',
    );
  });

  it('limits the number of values', () => {
    const list = `[${'1,'.repeat(1000)}]`;
    const lists = Array.from({ length: 20 }, (_, n) => `k${n}: ${list}\n`).join('');
    expect(problems(lists)).toBe('f:1:1: must not have more than 20000 values');
  });

  it.each([
    ['a list', `b:\n  a: [${'1,'.repeat(1001)}]`, 'f:2:6: b.a'],
    ['a mapping', `b:\n  a: {${Array.from({ length: 1001 }, (_, n) => `k${n}: 1,`).join('')}}`, 'f:2:6: b.a'],
    ['an alias of a list', `a: &a [${'1,'.repeat(1001)}]\nb: *a`, 'f:1:7: a'],
  ])('limits the number of entries of %s', (_, text, position) => {
    expect(problems(text)).toBe(`${position}: must not have more than 1000 entries`);
  });

  it('rejects excessive nesting', () => {
    expect(problems(`a: ${'['.repeat(80)}${']'.repeat(80)}`)).toContain('is nested too deeply');
  });
});
