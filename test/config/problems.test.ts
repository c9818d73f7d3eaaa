import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withHint } from '../../src/config/name-suggestions.ts';
import {
  formatProblems,
  formatWarnings,
  numberOfProblems,
  summarizeProblems,
  validate,
} from '../../src/config/problems.ts';
import { readYaml } from '../../src/config/yaml-source.ts';
import type { UnlocatedProblem } from '../../src/model/config-problem.ts';

const schema = z.strictObject({
  count: z.int().min(1).max(9).optional(),
  words: z.array(z.string().min(2)).min(1).max(2).optional(),
  long: z.string().max(3).optional(),
  map: z.record(z.string().regex(/^a/, { error: 'must begin with a' }), z.boolean()).optional(),
  size: z.enum(['small', 'large']).optional(),
  step: z.number().multipleOf(5, { error: 'must be a multiple of five' }).optional(),
});

/** Reports a problem of two keys, with any value. */
function across(): readonly UnlocatedProblem[] {
  return [
    { path: ['long'], message: 'does not go with size' },
    { path: ['size'], message: 'does not go with long' },
  ];
}

function complaints(text: string): readonly string[] {
  const result = validate(readYaml(text, 'f'), schema);
  return result.ok ? [] : formatProblems(result.error).split('\n');
}

describe('validate', () => {
  it.each([
    ['count: 0', 'f:1:8: count: must be at least 1'],
    ['count: 10', 'f:1:8: count: must be at most 9'],
    ['count: 1.5', 'f:1:8: count: must be a whole number'],
    ['count: many', 'f:1:8: count: must be a number'],
    ['count: true', 'f:1:8: count: must be a number'],
    ['count:', 'f:1:7: count: is empty; set a value or remove the key'],
    ['words: []', 'f:1:8: words: must have at least 1 entry'],
    ['words: [aa, bb, cc]', 'f:1:8: words: must have at most 2 entries'],
    ['words: [a]', 'f:1:9: words[0]: must have at least 2 characters'],
    ['words: [1]', 'f:1:9: words[0]: must be a string (write it in quotes)'],
    ['long: abcd', 'f:1:7: long: must have at most 3 characters'],
    ['long: no', ''],
    ['map: { b: true }', 'f:1:8: map.b: must begin with a'],
    ['map: { a: 1 }', 'f:1:11: map.a: must be true or false'],
    ['size: smal', 'f:1:7: size: must be one of small, large (did you mean `small`?)'],
    ['size: 5', 'f:1:7: size: must be one of small, large'],
    ['step: 7', 'f:1:7: step: must be a multiple of five'],
    ['cuont: 1', 'f:1:1: cuont: unknown key `cuont` (did you mean `count`?)'],
    ['other: 1', 'f:1:1: other: unknown key `other` (known here: count, words, long, map, size, step)'],
    ['pa55word: 1', 'f:1:1: …: unknown key (known here: count, words, long, map, size, step)'],
    ['text', 'f:1:1: must be a mapping of keys to values'],
    ['', 'f:1:1: the file is empty; write one with `graphwarden init`'],
  ])('returns for %j: %s', (text, line) => {
    expect(complaints(text).join('\n')).toBe(line);
  });

  it('returns problems in the order of the file', () => {
    expect(complaints('zzz: 1\nsize: 5\ncount: 0\naaa: 1').map((line) => line.slice(0, 5))).toEqual([
      'f:1:1',
      'f:2:7',
      'f:3:8',
      'f:4:1',
    ]);
  });

  it('has a hint for keys that are known elsewhere, at the top level only', () => {
    const known = { later: 'soon' };
    const result = validate(readYaml('later: 1\nmap: { a: true }', 'f'), schema, { known });
    expect(result.ok ? '' : formatProblems(result.error)).toBe('f:1:1: later: unknown key `later` (soon)');
  });

  it('accepts an empty file if that is allowed', () => {
    expect(validate(readYaml('# nothing', 'f'), schema, { mayBeEmpty: true })).toEqual({ ok: true, value: {} });
  });

  it('adds problems across keys, unless a value is already invalid', () => {
    const source = readYaml('long: "${X}"\nsize: small', 'f', {});
    const result = validate(source, schema, { across });
    expect(result.ok ? '' : formatProblems(result.error)).toBe(
      'f:1:7: long: refers to the environment variable X, which is not set; set it or replace the reference\nf:2:7: size: does not go with long',
    );
  });
});

describe('a file with more problems than are described', () => {
  const keys = Array.from({ length: 120 }, (_, n) => `z${'abcdefghijkl'[Math.floor(n / 10)]}${n % 10}`);
  const text = `${keys.map((key) => `${key}: 1`).join('\n')}\nguard: { a: 1, b: 1, c: 1 }\nsize: 1`;
  const source = readYaml(text, 'f');
  const hints = { count: 0 };
  const result = validate(source, z.looseObject({}), {
    across: (value) =>
      Object.keys(Object(value))
        .flatMap((key) => (key === 'guard' ? ['a', 'b', 'c'].map((one) => [key, one]) : [[key]]))
        .toReversed()
        .map((path) =>
          withHint({ path, message: 'is wrong' }, () => {
            hints.count += 1;
            return 'correct it';
          }),
        ),
  });
  const problems = result.ok ? [] : result.error;

  it('has the first hundred in the order of the file, each with its hint', () => {
    const lines = formatProblems(problems.slice(0, 100)).split('\n');
    expect(lines).toEqual(keys.slice(0, 100).map((key, n) => `f:${n + 1}:6: ${key}: is wrong (correct it)`));
  });

  it('counts the others of the guard and of the rest, without computing their hints', () => {
    expect(formatProblems(problems.slice(100))).toBe('f:101:6: 21 more problems\nf:121:13: guard: 3 more problems');
    expect(hints.count).toBe(100);
  });

  it('is summarized with the number of all problems', () => {
    expect(numberOfProblems(problems)).toBe(124);
    expect(summarizeProblems(problems)).toBe('f:1:6: za0: is wrong (correct it) (and 123 more)');
  });
});

describe('formatProblems', () => {
  const problem = { file: 'a.yml', line: 3, column: 5, path: 'clusters[0].name', message: 'is required' };

  it('writes one line each', () => {
    expect(formatProblems([problem, { ...problem, line: 4, hint: 'for example `name: prod`' }])).toBe(
      'a.yml:3:5: clusters[0].name: is required\na.yml:4:5: clusters[0].name: is required (for example `name: prod`)',
    );
  });

  it('omits the path of a problem of the whole file', () => {
    expect(formatProblems([{ ...problem, path: '' }])).toBe('a.yml:3:5: is required');
  });

  it('returns an empty text without problems', () => {
    expect(formatProblems([])).toBe('');
  });
});

it('a problem is one line without invisible characters, for any file name', () => {
  const problem = {
    file: 'a\u001b[31m\n\u202eb.yml',
    line: 1,
    column: 2,
    path: 'x',
    message: 'unknown key',
    hint: 'a\nb',
  };
  expect(formatProblems([problem])).toBe('a [31m b.yml:1:2: x: unknown key (a b)');
  expect(formatWarnings([problem])).toBe('a [31m b.yml:1:2: warning: x: unknown key (a b)');
});
